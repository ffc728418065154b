"""The words the extractive curator knows: which ones carry no meaning, open no sentence, or name no thing."""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


def phrases_of(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split("|"))


STOP = words_of(
    """
    a about above across after again against all almost along already also although always am among an and another any
    anybody anyone anything are aren't around as at away back be became because become becomes been before behind being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down due during
    each either else enough especially etc even ever every everyone everything except few for from further get gets getting
    give given gives go goes going gone got had has have having he her here hers him his how however i if in indeed instead
    into is isn't it its itself just keep keeps kept last least less let like likely long made mainly make makes making
    many may maybe me mere merely might more moreover most mostly much must my near nearly need needed needs neither never
    nevertheless next no nobody none nor not nothing now of off often on once one ones only onto or other others otherwise
    our out over own per perhaps please possibly put quite rather really s same say says see seem seems seen several shall
    she should shouldn't simply since so some someone something sometimes soon still such t take taken takes than that
    the their theirs them themselves then there thereby therefore these they thing things this those though through
    throughout thus to together too toward towards two under unless unlike until up upon us use used uses using usually
    very via want wants was wasn't way ways we well went were what whatever when where whereas whether which while who
    whole whom whose why will with within without won't would yet you your yours eg ie vs cf e.g i.e
    three four five six seven eight nine ten first second third new old good great better best bad big small large
    different various certain common current existing specific particular possible available able necessary similar
    following previous former latter main major important useful simple single double multiple many additional
    today yesterday tomorrow currently typically generally usually simply directly explicitly implicitly effectively
    """
)
"""Words that neither begin nor end a term."""

VERBS = words_of(
    """
    accept accepts accepted access accesses achieve act acts add adds added adopt adopts affect affects agree aim aims allow
    allows allowed appear appears apply applies applied argue ask asks assume assumes attempt avoid avoids base based
    began begin begins belong belongs break breaks bring brings build builds built call calls called came carry carries
    cause causes change changes changed check checks choose chooses chosen claim claims come comes compare compares comply
    comprises conflict consider considered consist consists consume consumes contain contains contained continue copy
    cover covers create creates created deal decide decided declare declares declared define defines defined delegate
    demonstrate depend depends deprecate deprecated describe describes described design designed determine determines
    develop did differ differs direct discuss discussed displays disappear document documents documented download drop
    drops enable enables encourage encouraged ends ended ensure ensures evaluate exist exists expand expect expected
    explain explicitly expose exposes express expressed extend extends fail fails fall falls feed feeds fetch fill find
    finds follow follows force found gave generate generates generated grow grows guarantee handle handles happen happens
    hear held help helps hold holds identify identifies ignore ignores implement implements implemented imply implies
    improve include includes included indicate indicates inform install installs installed intend intended introduce
    introduces introduced invoke involve involves issue join know knows known lack lacks lead leads leave leaves led list
    lists live lives locate located look looks lose loses lost maintain manage map match matches matter mean means meant
    measure mention mentioned move moved moves name named names note noted notes notify occur occurs offer offers omit
    open operate overstated parse parses pass passes perform permit permits permitted place placed play point points
    prefer prefers prepare present presents prevent prevents proceed produce produces produced prohibit promote propose
    proposes proposed protect protects prove provide provides provided publish publishes published pull push raise raises
    ran reach reaches read reads receive receives received recommend recommends recommended record records recorded
    reduce refer refers reference references reflect reject rejects rejected relate related release released rely relies
    remain remains remove removed removes rename renames repeat replace replaced replaces report represent represents
    request requests require requires required resolve resolves respond responds restrict result results retain return
    returns returned revert reuse run runs said satisfy satisfies saw seek select send sends serve serves set sets shaken
    share shares ship ships show shows shown shields sit solve sort specify specifies specified spread stand stands start
    starts state states stated stay stays stop stored stores suggest suggests supersede supersedes suit supply support
    supports supported tell tells test tests think tracks treat treats tried try tries turn turns understand
    update updates updated upload uploaded uses validate verify violate wait warn work works worked write writes written
    wrote
    """
)
"""Verb forms; a term has none at its end, and one behind a subject shows that the subject is one."""

AUXILIARIES = words_of(
    """
    is are was were be been has have had can cannot could may might must shall should will would does do did isn't aren't
    doesn't don't can't won't wasn't weren't hasn't haven't never always also only often usually typically currently no not
    """
)

BEHIND_A_NAME = AUXILIARIES | words_of(
    "of in for on at by with from to as that which who where when whose and or into under between through than using via"
)
"""Words that show that a noun phrase has ended."""

DETERMINERS = words_of(
    """
    a an the each every all any most some many both these those another no one two three its their our current existing
    typical modern new other such if when while as
    """
)

OPENERS = words_of(
    """
    this that these those it they its their such however therefore thus hence so then also additionally furthermore moreover
    as instead otherwise similarly likewise finally lastly firstly secondly thirdly first second third fourth fifth sixth
    next meanwhile
    nevertheless nonetheless still yet but and or because here there see again conversely accordingly consequently
    he she his her him i we our my you your doing both neither either none alternatively alternately
    unfortunately fortunately specifically basically obviously clearly essentially indeed perhaps maybe e.g i.e
    ultimately importantly interestingly overall regardless afterwards subsequently which who whose sorry please
    yes no okay ok agreed yeah sure nor concretely likewise ideally admittedly currently another others same
    especially worse better beispielsweise hinweis anderenfalls andernfalls entsprechend ebenso hierzu hierbei hierfür zudem
    """
)
"""Words that make a sentence lean on the one before it."""

LEANING = phrases_of(
    """
    e.g | i.e | etc | dies | diese | dieser | dieses | außerdem | jedoch | dabei | daher | zum beispiel | cela |
    ceci | cette | ces | cependant | par exemple | for example | for instance | in addition | in this | in that |
    in these | in such | in contrast | in other words | in particular | in both | in either |
    in short | in order to do | in practice | as a result | as such | as well | as above | as an example |
    on the other | on its own | of these | of course | of those | to this | to do so | to do this | to that |
    to address this | to help address this | at this | at that | by doing | by this | for this | for these |
    for that | for those | for now | for comparison | for more | for further | from this | with this | with that |
    with these | under this | under these | after this | after that | because of this | because this | due to this
    | given this | given that | given these | if this | if it | if they | if so | if not | when this | when it |
    when they | while this | while it | while these | since this | since it | since these | since the above |
    though this | although this | although it | even if | even though | even so | that is | the above | the below
    | the following | the former | the latter | the other | the same | the second | the third | the next |
    the first | the previous | the example | the reason | the idea | the intent | the rest | the remainder |
    the hope | the rationale | the table | the problem with | all of the above | all of these | all this |
    all three | some of these | none of these | most of these | many of these | each of these | most such |
    a similar | any such | no such | like this | like with | not only | based on | prior to this | without this |
    what this | once this | until then | beyond that | other than | quoting | part of | now that | since then |
    more specifically | more generally | just like | this is | until this | despite this | along with | aside from
    | apart from | among other | another | assuming | failing that | failing this | once acquired
    | later, | if such | when such | where such | an alternative would | an alternative could | an alternative is
    """
)
"""Beginnings that lean on the sentence before."""

CALENDAR = words_of(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep
    sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    spring summer autumn winter christmas easter am pm utc gmt bc ad
    """
)

GENERIC = words_of(
    """
    abstract acceptance action address advantage amount answer appendix approach area argument article aspect attempt author
    background basis behavior behaviour benefit bit body book byte case category cause chance change chapter character
    choice class code column comment community company concept concern conclusion condition consideration content context
    copy copyright core cost count country course data date day deal decision default definition degree delegate detail
    difference difficulty discussion document edge editor effect effort element end entry error event example exception
    expectation experience expression fact feature feedback field figure file filename flag folder form format future goal
    group hand head header heading history hour human idea impact implementation implication information inspiration
    instance
    intent intention introduction issue item job key kind label language layer length level library limit line link list
    location logic lot machine maintainer majority manager matter meaning means mechanism member message method minute mode
    moment month motivation name need note notion number object objection opinion option order organization output overview
    owner page paragraph parameter part party path people percent period person phase piece place plan point policy
    position possibility practice preference presence problem procedure process product program programmer progress project
    proposal purpose quality question range rate rationale reader reason recommendation record reference rejection
    relation release reply request requirement resolution response responsibility rest restriction result return risk role
    row rule scenario scheme scope screen script section security segment semantics sense sentence sequence series service
    set setting sign situation size software solution sort source space special specification sponsor stage standard
    start state statement status step story string structure style subject suffix summary support syntax
    system table target task team technique technology term text thanks theory time title today tool topic total
    transition tree trouble type understanding unit update use user utility validity value variant variety version view
    warning way week weight word work world writer year zone string array boolean integer bool int str dict none true false
    comparison subdirectory server environment interface specifying development literal
    required optional yes no draft final standards track active provisional superseded withdrawn rejected accepted
    informational post-history note warning tip important caution todo fixme foo bar baz spam eggs example.com
    """
)
"""Nouns too general for a page of their own, and the labels documents carry about themselves."""

NEVER_NAMES = words_of(
    """
    must should shall may not required recommended optional pep rfc bdfl-delegate pep-delegate standards-track note abstract
    rationale motivation specification backwards compatibility security implications english i ok todo fixme tbd n/a vs etc
    mr mrs ms dr prof fig figure table section appendix chapter page pages eq id url urls uri http https os ascii utf
    api apis cli ui ux ide json html xml toml yaml csv pdf sql faq readme utf-8 ascii unicode gui zip
    get post put patch delete head html5 html4 sha-256 sha256 md5 sha1 css posix unix
    """
)
"""Capitals that are no name: RFC 2119 words, series labels, and abbreviations everybody knows."""

ABBREVIATIONS = words_of(
    """
    e.g i.e etc vs cf al fig figs no nos vol pp p ed eds dr fr mr mrs ms prof st jr sr inc ltd co corp approx resp incl ca
    dept est gov sec ch eq art op rev viz yr yrs z.b d.h u.a bzw ggf vgl nr bd hrsg usw usf ca sog m.e p.ex max min
    ext geb gest verh evtl inkl zzgl pat wg bek
    """
)
