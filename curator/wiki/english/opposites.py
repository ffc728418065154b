"""Words of which one says the opposite of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from curator.wiki.english.stems import stem
from curator.wiki.english.words import StemmedWord

_OPPOSITES = (
    "more|less fewer,most|least fewest,many|few,easier easy|harder hard difficult,simpler simple|complicated complex,"
    "faster fast quicker quick|slower slow,before prior preceding|after subsequent following,older|newer,old|new,"
    "earlier early previous|later late recent latest current,ahead beforehand|afterwards afterward,above|below,"
    "higher high|lower low,larger large bigger big|smaller small,longer long|shorter short,"
    "stronger strong|weaker weak,strengthen|weaken,increase rise grow gain|decrease fall drop shrink lose,"
    "better good best|worse bad worst,first|last,minimum|maximum,optional|required mandatory compulsory,"
    "common frequent|rare uncommon,widely|rarely seldom,allow permit|forbid prohibit disallow,include|exclude,"
    "enable|disable,valid|invalid,mutable|immutable,public|private,static|dynamic,start begin|stop end,"
    "accept|reject refuse,safe|unsafe dangerous,cheap cheaper|expensive dear dearer,internal|external,local|global "
    "remote,warm hot|cold cool,dry|wet,"
    "positive|negative,import|export,open|close shut,left|right,top|bottom,inner|outer,success succeed|failure fail,"
    "improve|worsen degrade,win|lose,beneficial|harmful,advantage|disadvantage,possible|impossible,legal|illegal,"
    "automatic|manual,explicit|implicit,lossless|lossy,absolute|relative,strict|lenient loose,backward|forward,"
    "previous|next,unlimited|limited,equal|unequal different,sealed|open,read|write,encourage recommend|discourage,"
    "recommended|discouraged,raise|lower reduce,increase|reduce,boot startup|shutdown,"
    "gain|loss,wide|narrow,deep|shallow,true|false,"
    "ancestor parent superclass|descendant child subclass,eager|lazy,major|minor,senior|junior,"
    "north northern|south southern,east eastern|west western,"
    "expand expansion|shrink shrinkage contraction,efficient efficiently|inefficient slow slower,"
    "shared|exclusive,near nearest close closest|far farthest distant,sooner|later longer,double-blind blinded|open-label,"
    "perpetual permanent|temporary limited,mild|severe,male|female,parent parents|child offspring nestling,guilty|innocent,"
    "voluntary|compulsory mandatory,morning|evening,day daytime|night,dawn|dusk,indoors indoor|outdoors outdoor,raw|cooked,"
    "empty|full,winter|summer,spring|autumn,ahead|behind,inside|outside,approve pass|reject defeat,"
    "ally|enemy,debit|credit,buyer|seller,lender|borrower,landlord|tenant,employer|employee,plaintiff|defendant,"
    "closer together|farther further apart,winner|loser,upgrade|downgrade,"
    "vertical|horizontal,sender|recipient receiver,solid|liquid,acid acidic|alkaline,urban|rural,"
    "meet satisfy fulfil|miss violate,much lots|little,original initial|latest current final,mid|early late,"
    "shorten|prolong lengthen,grant|refuse deny,agree|disagree,appear|disappear,accelerate|slow,tighten|loosen,"
    "praise|criticize criticise,attach|detach,encrypt|decrypt,connect|disconnect,arrive|depart,majority|minority,"
    "survive live|die perish,profit|loss,victory|defeat,surplus|deficit shortage,ascending|descending,uppercase|lowercase,"
    "clockwise|anticlockwise counterclockwise,upstream|downstream,upwind|downwind,uphill|downhill,odd|even,pull|push,"
    "inward inwards|outward outwards,harden|soften,heat|chill,opt-in|opt-out,inbound|outbound,incoming|outgoing,"
    "inlet|outlet,ingress|egress,lend|borrow,encode|decode,compress|decompress,lock|unlock,mount|unmount,"
    "thick thicker|thin thinner,heavy heavier|light lighter,stricter|looser laxer,rough rougher|smooth smoother,"
    "bright brighter|dim dimmer dark darker,loud louder|quiet quieter,tall taller|short shorter,"
    "broad broader|narrow narrower,"
    "official|unofficial,together|apart,stable|unstable experimental,single|multiple"
)
_APART = (
    # what is done
    "accept admit|refuse,activate stimulate promote|inhibit suppress,expose|protect shield,inhale|inject swallow,"
    "absorb|excrete,add|remove delete,create|delete destroy,install|uninstall,attack|defend,join|leave quit,"
    "keep retain|discard,"
    "construct|demolish,nominate|win award,study|graduate,give donate|lend loan,withdraw|die,precede|succeed,hire|dismiss,"
    "acquit|convict,confirm|refute,ratify|repeal,adopt|abolish,admire|despise,love|hate,remember|forget,emit|absorb,"
    "melt|freeze boil,evaporate|condense,float|sink,ascend|descend,land|launch,inflate|deflate,dilute|concentrate,"
    "sow|harvest,hatch|lay,plant|uproot,assemble|dismantle,load|unload,insert|remove,append|prepend,merge|split,"
    "sign|verify,push|pop,enqueue|dequeue,allocate|free,promote|demote,publish|withdraw,advance|retreat,found|dissolve,"
    # how often, how much, how
    "daily|weekly monthly yearly annual annually hourly quarterly,weekly|monthly yearly annual annually hourly quarterly,"
    "monthly|yearly annual annually hourly quarterly,once|twice thrice,mean average|median,gross|net,"
    "greatly strongly considerably substantially|slightly marginally,entirely wholly fully|partly partially,"
    "directly|indirectly,synchronous synchronously|asynchronous asynchronously,orally oral|intravenous intravenously,"
    "deliberately intentionally|accidentally inadvertently,unanimous unanimously|narrowly,online|offline,"
    # of what kind
    "acute|chronic,benign|malignant,fertile|sterile,aerobic|anaerobic,native|introduced invasive,wild|tame,"
    "edible|poisonous toxic,harmless|harmful dangerous poisonous toxic venomous parasitic,"
    "effective|ineffective useless,useful|useless,"
    "active|passive inactive,visible|hidden,natural|artificial synthetic,fresh|stale,clean|dirty,sharp|blunt,rich|poor,"
    "domestic|foreign,primary|secondary,singular|plural,leading|trailing,reversible|irreversible,soluble|insoluble,"
    "wooden|metal metallic stone,gaseous|liquid solid,herbivorous|carnivorous,nocturnal|diurnal,deciduous|evergreen,"
    "annual|perennial biennial,serious|frequent,elected|appointed,volunteer voluntary|paid salaried,married|divorced,"
    "oldest|youngest,symmetric symmetrical|asymmetric asymmetrical,deterministic|random,case-sensitive|case-insensitive,"
    "stateful|stateless,signed|unsigned,nullable|required,big-endian|little-endian,convex|concave,finite|infinite,"
    # who and what
    "teacher|pupil student,mother|father,husband|wife,son|daughter,brother|sister,king|queen,woman|man,girl|boy,aunt|uncle,"
    "doctor physician|nurse,patient|animal mouse rat,friend|enemy,host|guest parasite,predator|prey,prosecution|defence,"
    "producer|consumer,publisher|subscriber,supply|demand,input|output,prefix|suffix,numerator|denominator,front|rear back,"
    "noon|midnight,sunrise|sunset,weekday|weekend,peace|war,infantry|cavalry,income|expenditure,"
    "author|reviewer,"
    "artery|vein,larva|adult,queen|drone worker,root|leaf,bow|stern,port|starboard,latitude|longitude"
)
"""Pairs that are no two ends of one scale, and still give the lie to each other where one stands in the other's place.
Left out: what says the same from the other side (buy and sell, send and receive), and two that make a comparison."""
OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in f"{_OPPOSITES},{_APART}".split(","):
    _left, _right = ([stem(word) for word in side.split()] for side in _pair.split("|"))
    for _side, _other in ((_left, _right), (_right, _left)):
        for _word in _side:
            OPPOSITES[_word] = OPPOSITES.get(_word, frozenset()) | frozenset(_other)
"""The stems of its opposites, by the stem of a word."""
_TURNING = frozenset(
    "not no never none nothing nobody nowhere neither nor without cannot hardly scarcely barely non unless except only "
    "merely mere other otherwise rather instead apart than too far free save but fewer less least longer few little rare "
    "rarely seldom off out".split()
)
"""Words that turn what is said beside them, or bound it."""
_NO_PREFIX = ("under", "unit", "uni", "unt", "unless")
_FEWEST = 6
"""Letters of a word that ``un-`` turns, at least."""


def turning(words: Iterable[StemmedWord]) -> Counter[str]:
    """The words that turn what is said round, as often as they stand there; ``isn't`` is a ``not``."""
    return Counter(turn for word in words if (turn := _turn(word)))


def _turn(word: StemmedWord) -> str:
    if word.lower == "cannot" or word.lower.endswith("n't"):
        return "not"
    if word.lower in _TURNING:
        return word.lower
    return word.stem if is_undone(word) else ""


def is_undone(word: StemmedWord) -> bool:
    """True for ``unaware``, which says what ``not aware`` does."""
    return word.lower.startswith("un") and len(word.lower) >= _FEWEST and not word.lower.startswith(_NO_PREFIX)
