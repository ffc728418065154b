"""Words that mostly mean no thing: verbs, adjectives and everyday nouns, though a page may be called so.

Not complete, and need not be: a page is linked by such a word only where its sentence shows a noun (``wiki/mentions.py``).
"""

from __future__ import annotations

import re

_VERBS = frozenset(
    "act add aim allow analyze answer appear apply ask assert assign await base be become begin bind block boot "
    "branch break bring build call cancel care carry cast catch change charge check choose claim clean clear close "
    "collect come commit compare complete compose connect consume contain control convert copy cost count cover "
    "create cross cut damage deal declare defer delay delete deny deploy derive describe design dispatch display "
    "divide do draft draw drive drop dump edit embed emit enable encode end enter escape exit expand export expose "
    "extend extract face fail fall feed feel fetch fill filter find finish fit fix flag flow flush fly focus fold "
    "follow force fork form format gain get give go grab grant group grow guess guide hand handle happen hash have "
    "head hear help hide hint hit hold host import include indent inherit insert install invoke issue join jump keep "
    "kick kill know label land launch lay lead leak lean learn leave let lie lift like limit link list listen live "
    "load lock log look loop lose make manage map mark mask match mean measure meet merge mind mint miss mix monitor "
    "mount move name narrow need nest note notice offer open order overload override own pack package parse pass "
    "paste patch pause pay perform pick pin pipe place plan play plug point poll pop post prepare present press print "
    "process produce program promise prompt prove provide publish pull push put query queue quote race raise range "
    "rank rate reach read record reduce refer reflect release rely remain render repeat replace report request "
    "require reset resolve rest restrict result resume retry return reveal reverse review revise ride ring rise roll "
    "rotate round route rule run save say scale scan schedule score search see seek select sell send serve set shape "
    "share shift ship show shut sign signal sit skip sleep slice slip solve sort sound spawn speak spell spend split "
    "spread spring stack stage stand start state stay step stick stop store stream strike strip study style submit "
    "suit support suspend swap swing switch tag take talk target tell tend test think throw tie time top touch trace "
    "track trade train transfer transform trap travel treat trigger trim truncate trust try tune turn type unpack "
    "update use utter vacuum validate value vary verify view visit vote wait wake walk want warn wash watch wear wish "
    "wonder work wrap write yield zip".split()
)
_ADJECTIVES = frozenset(
    "able absolute abstract accurate active actual additional adequate alive alternate ample ancient annual any apt "
    "arbitrary atomic automatic available average aware awake bad bare basic big binary bitter blank blind bold "
    "bright broad brief calm capital careful central certain cheap chief civil classic clean clear close closed cold "
    "common compact complete complex concrete constant cool correct covariant contravariant crucial current custom "
    "cyclic daily dark dead dear deep default dense different difficult direct dirty distinct double dry due dull "
    "dynamic eager early easy elder empty enough entire equal essential even exact existing experimental explicit "
    "express external extra extreme fair familiar far fast fat few final fine finite firm first fit flat flexible "
    "foreign formal former forward free frequent fresh full further future general generic gentle genuine given "
    "global good gradual grand great green gross half handy happy hard harsh heavy hidden high hot huge human ideal "
    "idle ill immediate immutable implicit important inactive inner instant internal invalid invariant just keen key "
    "kind large last late latter lazy lean least left legal less light like likely linear literal little live local "
    "logical lone long loose lost loud low lower main major manual many mature mean medium mere middle mild minimal "
    "minor missing mixed mobile modern modest more most multiple mutable mutual naive naked narrow native natural "
    "near neat necessary new next nice nominal non normal null obsolete obvious odd official old online only open "
    "opaque optional ordinary original other outer overall own parallel partial particular passive past patient "
    "perfect permanent pending persistent personal physical plain pleasant poor popular portable possible practical "
    "precise pre present pretty previous primary prime primitive prior private probable prompt proper public pure "
    "quick quiet random rapid rare raw ready real recent recursive redundant regular relative relevant reliable "
    "remote responsible rich right rigid robust rough round royal safe same sane second secondary secret secure self "
    "senior separate serial serious several severe shallow sharp short shy similar simple single slight slow small "
    "smart smooth soft sole solid some sorry sound spare sparse special specific stable stale standard static steady "
    "steep sticky stiff strange strict strong structural subtle such sudden sufficient suitable super sure sweet "
    "swift symbolic tall temporary tender thick thin third tight tiny top total tough transient transparent true "
    "typical ugly ultimate unary unbound unified uniform unique universal unknown unsafe unusual upper upstream "
    "urgent useful usual vague valid variable various vast vertical virtual vital void volatile warm weak weekly well "
    "wet whole wide wild wise worse worst worth wrong young away ahead alone apart aside back down here home never "
    "not now off often once over please quite rather soon still then there though through thus today together too "
    "under up very yet".split()
)
_EVERYDAY = frozenset(
    "ability access accident account action activity addition address administrator advantage advice affair age agreement "
    "aim alternative amount analysis announcement answer apartment api app appearance application approach area argument "
    "arrangement article ascii aspect attempt attention audience author authority average background base basis batch "
    "behavior behaviour benefit bit block board body book boundary box branch bug build building bundle business button "
    "byte calculation call candidate care case category cause chance change chapter character characteristic checklist "
    "choice circumstance city claim clause code collection column combination command comment community company "
    "comparison component concept concern conclusion condition conduct connection consequence consideration contact "
    "content context contribution contributor control convention copy corner cost count country course cpu credit crowd "
    "csv culture customer data date day deal decision decrease default definition degree demand description design desire "
    "detail device difference difficulty digit direction directory disadvantage discussion disk display distance document "
    "documentation dollar doubt draft duty edge edition effect effort element emphasis employee end entity entry "
    "environment error evaluation event evidence example exception exchange expectation experience explanation extent "
    "fact factor failure family fault favor favour feature fee feedback field figure file filename folder form format "
    "formula foundation fraction friend function future gap goal government group guarantee guide guideline half hand "
    "hardware harm head heading health height help history hole home hour house html http https idea identifier image "
    "impact implementation importance improvement inch incident increase individual industry influence information "
    "infrastructure initiative input instance instruction integer intent intention interest interval introduction issue "
    "item job json kilogram kind knowledge label lack language law layer layout lead length letter level library licence "
    "license life limit limitation line link list load location loss machine majority man manner manual map margin mark "
    "market material matter maximum meaning means measure measurement mechanism medium meeting member memory message "
    "method middle minimum minority minute mistake mixture mode model modification moment money month motivation move "
    "movement name nation nature necessity need night norm note notice notion null number object objection objective "
    "observation obstacle office operation operator opinion opportunity option order organisation organization origin "
    "outcome output owner pace package page pair paper paragraph parameter parent part participant party passage past "
    "path payment people percent percentage performance period permission person perspective phase phrase picture piece "
    "place plan platform point policy population portion position possibility post power practice preference presence "
    "present price principle priority problem procedure process product profile program programme progress project "
    "promise proof property proportion proposal protection provider publication purpose quality quantity question quote "
    "range rank rate ratio reader reading reality reason recipient recommendation record reduction reference region "
    "relation relationship release reliability removal replacement reply report request requirement research resource "
    "respect response responsibility rest restriction result return review right risk role room root row rule safety sake "
    "sample scenario schedule scheme school scope score screen script search second section security selection sense "
    "sentence sequence series service setting setup shape share side sign significance situation size skill software "
    "solution sort sound source space specification speed sql stage standard start state statement status step stop store "
    "story strategy strength string structure student style subject success suggestion summary support surface syntax "
    "system table tag target task team technique technology temperature template term test text theme theory thing "
    "thought threat time title tool top topic total town trade tradition training transfer translation treatment trial "
    "trouble trust truth type understanding unit university update upgrade url usage use user value variable variant "
    "variation variety version view visitor voice volume warning waste water way weakness website week weight whole width "
    "window wish witness woman word work worker workflow world writer xml year".split()
)
"""Nouns that sentences are made of whatever they are about, and short forms that everybody uses."""
_MADE_OF_OTHERS = re.compile(r"\w{3,}(?:ed|ly|able|ible|ful|less|ous|ing)")


def is_verb(word: str) -> bool:
    """True for a lower-case word that is a verb, or the third person of one: ``cast``, ``overloads``."""
    stems = {word, word.removesuffix("s"), word.removesuffix("es")}
    return not _VERBS.isdisjoint(stems)


def is_modifier(word: str) -> bool:
    """True for a lower-case word that mostly says something of another: ``final``, ``annotated``, ``typing``."""
    return word in _ADJECTIVES or _MADE_OF_OTHERS.fullmatch(word) is not None


def is_everyday(word: str) -> bool:
    """True for a lower-case word that is a noun of any text: ``project``, ``version``."""
    return word in _EVERYDAY
