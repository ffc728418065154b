"""Words that one may stand for the other in a statement on the same thing."""

from __future__ import annotations

from curator.wiki.english.stems import stem

_ALIKE = (
    "sort order rank arrange list enumerate,direct immediate straight,carry transport convey bear,begin start commence,"
    "end finish stop cease conclude,argue hold maintain contend claim say state assert,buy purchase acquire,"
    "help assist aid support,show demonstrate reveal indicate,ask request demand,need require,try attempt,"
    "choose select pick,fix repair mend correct,allow permit let,forbid prohibit ban,build construct erect make,"
    "destroy demolish ruin,send dispatch deliver transmit,get obtain receive gain,read load,return yield,fear dread,"
    "seem appear,print display,temporary provisional,temporarily provisionally,suggestion idea proposal,"
    "create generate produce,use employ,run execute,check verify test,contain include,keep retain preserve store,"
    "eat feed consume,die perish death,kill slay,live dwell inhabit reside,big large great,small little tiny,"
    "fast quick rapid swift,teach instruct,cost price expense,money funds,house home building,ship vessel boat,"
    "child kid,work labour job,hour time,save spare,ill sick disease,doctor physician,begin open launch,"
    "reject refuse decline,answer reply respond,see notice observe,measure reading gauge,think believe consider,"
    "change alter modify amend,replace substitute supersede,grow increase rise,shrink decrease fall drop decline,"
    "join link connect attach,part divide split separate,happen occur,fail collapse,hide conceal,ignore skip disregard,"
    "ground reason motive,block unavailable bar,future later,entry addition item record,activate fire,change effect,"
    "repeat again second,author writer write,bug defect fault error,speed velocity rate,limit cap ceiling maximum,"
    "town city,street road,boat vessel,forest wood,picture image photo,aim goal purpose intend,amount quantity,"
    "advice counsel recommend,accident mishap,danger hazard risk,error mistake,idea notion concept,rule regulation,"
    "employ hire,wage salary pay,illness disease,pupil student,customer client,firm company business,lawful legal allowed,"
    "number digit numeral,leave depart,return back,digest hash checksum,vanish disappear gone,finish "
    "complete,consent approve approval,decide decision resolve resolution,override reverse overrule overturn,"
    "cause produce bring,use apply employ utilize,contain hold include comprise,"
    "seem appear look,arrive come reach,enable let allow,fully entirely wholly completely totally,"
    "mainly mostly chiefly primarily largely,roughly approximately,whole entire full complete,main chief principal,"
    "important major significant key,usual normal typical ordinary,exact precise,correct right accurate,"
    "wrong incorrect false,same identical equal,different other distinct,near close,strange odd,former previous earlier,"
    "current present,provide supply offer,tell inform notify,talk speak,find discover locate detect,"
    "check verify examine inspect,watch monitor observe,stay remain,prevent avoid,guard protect,explain describe,"
    "name call term,mean signify denote,add append,remove delete,raise lift,mix blend combine,hurt harm damage injure,"
    "improve enhance,oppose resist,plan intend,execute run perform,print show display,search seek,copy duplicate,"
    "move shift,update refresh,throw raise,handle process treat,turn convert transform,start launch,meet satisfy,"
    "reduce lower decrease cut,expand extend widen,fill occupy,often frequently,always invariably,at once immediately,"
    "worker labourer,road way,house dwelling,story tale,field area domain,part section portion,kind type sort,"
    "text document page paper,line border boundary edge,image picture drawing,vote poll ballot,untrue false,"
    "blank space whitespace,teach tutorial lesson,urge encourage exhort,almost nearly mostly,acceptable allowed valid,"
    "advanced experienced skilled expert,beginner novice newcomer,data information detail,welcome appreciate glad,"
    "trouble problem difficulty issue,gap hole weakness vulnerability flaw,attack assault intrude intruder attacker,"
    "forward ahead advance,early soon initially first,rest remainder remaining left,owner holder,duty obligation,"
    "silent quiet,plain obvious evident,hard difficult tough,simple easy,"
    "rule law norm,agree accord match,disagree differ,user person people,machine computer host system,programme program "
    "software,manual guide handbook documentation,picture figure diagram,sign mark symbol,character letter,"
    "folder directory,value setting,option switch flag,default preset,argument parameter,input feed,output result,"
    "wait delay pause,stop halt abort,hint clue signal,suspicion doubt suspect,proof evidence,test trial experiment,"
    "aim target,sum total,share proportion fraction,average mean,gather collect,scatter spread distribute,"
    "guess estimate,judge assess evaluate,refuse deny,quarrel dispute,praise commend,blame accuse,"
    "way manner method,place location site spot,goods wares,shop store,soldier troop,journey trip voyage,fight battle"
)
SYNONYMS: dict[str, frozenset[str]] = {}
for _group in _ALIKE.split(","):
    _stems = frozenset(map(stem, _group.split()))
    for _stem in _stems:
        SYNONYMS[_stem] = SYNONYMS.get(_stem, frozenset()) | _stems
