"""The stems of the words in curator's own tables, each with its words, by tests/scripts/stems.py.

A stem is a word itself, unless a ``-`` stands before it.
"""

from __future__ import annotations

STEMS = """
abandon abandoned, abl able, abolish abolished, abort, about, abov above, absenc absence, absent, absolut absolute,
absorb, abstain, abstract, absurd, abus abuse abused, -acceler accelerate, accept acceptable accepted accepts, access
accesses, accid accident, -accident accidentally, accord according, account, accur accurate, accuraci accuracy, accus
accuse, achiev achieve, acid acidic, acquir acquire, acquit, across, act acts, action, activ activate active activity,
actual actually, acut acute, add added adds, addit addition additional, admir admire, admit, adopt adopted adopts,
adult, advanc advance advanced, advantag advantage, advic advice, -advis advise advised, aerob aerobic, affect
affects, affirm affirmed, after, afterward afterwards, again, against, age, ago, -agre agree agreed, ahead, aid, aim
aims, alkalin alkaline, all, alleg allege allegedly, alli ally, alloc allocate, allow allowed allows, almost, along,
alreadi already, also, alter, altern alternative, although, altogeth altogether, alway always, am, amend, america,
american, amid, among, amount, an, anaerob anaerobic, analysi analysis, ancestor, and, anecdot anecdotal, ani any,
anim animal, announc announce, annual annually, anoth another, answer, anti, -anticlockwis anticlockwise, anybodi
anybody, anyon anyone, anyth anything, anyway, apart, app, appar apparently, appear appearance appears, append,
appendix, appli applied applies apply, applic applicable application, appoint appointed, appreci appreciate, approach,
appropri appropriate, approv approval approve approved, approx, approxim approximately, april, architectur
architecture, archiv archive, are, area, aren't, arg, argu argue, argument, around, arrang arrange, arrest arrested,
arriv arrive, arson, arteri artery, articl article, artifici artificial, as, ascend ascending, asid aside, ask asks,
aspect, assassin assassinate assassinated, assault assaulted, assembl assemble, assert, assess, assist, assum assume
assumes, asymmetr asymmetric asymmetrical, asynchron asynchronous asynchronously, at, attach, attack attacker,
attempt, attr, attribut attribute, august, aunt, australia, australian, austria, austrian, auth, authent
authentication, author authored authorization, automat automatic, autumn, avail availability available, averag
average, avoid avoids, aw awful, await awaiting awaits, award, away, back, background, backward, bad, ballot, ban,
bar, bare, base based, basic basics, battl battle, be being, bear, beat, becam became, becaus because, becom become
becomes, been, befor before, beforehand, begin beginning begins, beginn beginner, behavior, behaviour, behind,
belgian, belgium, believ believe, belong belongs, belov beloved, below, benefici beneficial, benefit, benign, bequest,
besid besides, best, better, between, beyond, biennial, big, bigger, bind binding, biolog biology, bite, blackmail
blackmailed, blame, blank, blend, blind blinded, block, blunt, boat, boil, boot, border, born, borrow borrower, both,
bottom, boundari boundary, bow, boy, brazil, brazilian, break breaks, bribe bribed, briberi bribery, brief, bright,
brighter, brilliant, bring brings, britain, british, broad, broader, brother, bug, build building builds, burglar,
burglari burglary, burn, busi business, but, buy buying, buyer, by, calendar, call called calls, can, can't, canada,
canadian, cancel cancelled, cannot, cap, care careful, careless, carnivor carnivorous, carri carries carry, case,
catastroph catastrophe catastrophic, catch, categori category, caus cause causes, caution, cavalri cavalry, -ceas
cease, ceil ceiling, celebr celebrate celebrated, certain, cf, challeng challenge, chang change changed changes,
changelog, char, charact character, characterist characteristic, cheap, cheaper, cheat cheated, check checking checks,
checksum, chief, chiefli chiefly, child, chill, china, -chines chinese, choic choice, -choos choose chooses choosing,
chronic, circumst circumstances, cite, citi city, claim claims, class, classif classification, clean cleaning, client,
-clockwis clockwise, close, closer, closest, clue, cmd, cold, -collaps collapse, collect, column, combin combine, come
comes, command, commenc commence, commend, comment, common, communiti community, compani company, compar compare
compared compares, comparison, compat compatibility, compet competence, complet complete completed completely,
complex, compli comply, complic complicated, compon component, composit composition, compress, -compris comprise
comprises, compulsori compulsory, comput computer, con cons, concav concave, conceal, concentr concentrate, concept,
concern, conclud conclude concluded, conclus conclusion, -condens condense, condit condition, config, configur
configuration, confirm, conflict, connect, consent, consequ consequence, consid consider considered, -consider
considerably, consist consists, constraint, construct construction, consum consume consumer consumes, contact, contain
contained contains, contend, content, context, continu continue, contract contraction, contradict contradiction,
contrari contrary, contrast, contribut contribution, control, convert, convex, convey, convict convicted conviction,
cook cooked, cool, copi copy, correct, corrupt corrupted corruption, cost, could, couldn't, counsel, count counting,
-counterclockwis counterclockwise, counterfeit, countri country, -cours course, cover covers, coward cowardly, crash,
creat create created creates, credit, criterion, critic criticism criticize, -criticis criticise, crowd, cruel,
current currently, custom customer, cut, cycl cycle, czech, czechia, daili daily, damag damage, danger dangerous,
danish, dark, darker, -databas database, date, datum, daughter, dawn, day, daytim daytime, db, dead deadly, deal,
dear, dearer, death, debit, debunk, deceiv deceive deceived, decemb december, decid decide decided, decidu deciduous,
-decis decision, declar declare declared declares, declin decline declined, decod decode, decompress, -decreas
decrease, decrypt, deep, default, defeat, defect, defenc defence, defend defendant, defer deferred, deficit, defin
define defined defines, definit definition, deflat deflate, defraud defrauded, degrad degrade, delay delayed, deleg
delegate, delet delete deleted, -deliber deliberately, deliv deliver, demand, demolish demolished, demonstr
demonstrate, demot demote, deni deny, denial, denmark, denomin denominator, denot denote, depart, depend dependency
depends, deprec deprecate deprecated, depriv deprive, dequeu dequeue, descend descendant descending, describ describe
described describes, descript description, design designed, desir desired, -despis despise, despit despite, destroy
destroyed, detach, detail, detect, determin determine determines, determinist deterministic, dev, develop developer
development, diagnosi diagnosis, diagram, dict, dictionari dictionary, did, didn't, die died, differ difference
different differently differs, difficult, difficulti difficulty, digest, digit, dilut dilute, dim, -dimens dimension,
dimmer, dir, direct directive directly, directori directory, dirti dirty, dis, disabl disable disabled, disadvantag
disadvantage, -disagre disagree, disallow, disappear, disapprov disapproved, disast disaster, disastr disastrous,
discard, disconnect, discontinu discontinued, discourag discourage discouraged, discov discover discovered, discoveri
discovery, discuss discussed discussion, -diseas disease, disgrac disgraceful, dishonest, dismantl dismantle, dismiss
dismissed, dispatch, -dispens dispensable, display displays, disprov disprove, disput dispute, disregard, dissolv
dissolve, distant, distinct, distribut distribute distribution, diurnal, divid divide, divorc divorced, do doing, doc,
doctor, document documentation documented documents, doe does, doesn't, domain, domest domestic, don't, donat donate,
done, doubl double, doubt doubtful, down, downgrad downgrade, downhil downhill, download, downstream, downwind, draft
drafted, draw drawing, drawback, dread, dri dry, drink, drive, drone, drop dropped drops, drunk, drunken, due, duplic
duplicate, dure during, dusk, dutch, duti duty, dwell dwelling, dynam dynamic, each, eager, -earli early, earlier,
easi easy, easier, east, eastern, eat, edg edge, edibl edible, edit edition, editor, effect effective effectively,
effici efficient efficiently, eg, egress, eight, eighti eighty, either, elect elected, element, eleven, elimin
eliminated, -els else, -elsewher elsewhere, embezzl embezzle embezzled embezzlement, emit, employ employer, -employe
employee, empti empty, enabl enable enabled enables, enact, encod encode, encourag encourage encouraged, encrypt, end
ended ends, -endors endorsed, enemi enemy, enhanc enhance, enough, enqueu enqueue, ensur ensure ensures, entir entire
entirely, entri entry, -enumer enumerate, env, environ environment, equal, equip equipment, erect, error, especi
especially, establish established, estim estimate, etc, etymolog etymology, europ europe, european, evalu evaluate
evaluation, evapor evaporate, even, evening, event, ever, evergreen, everi every, everybodi everybody, everyday,
everyon everyone, everyth everything, evid evidence evident, exact exactly, examin examine, exampl example, excel
excellent, except exception, exclud exclude, exclus exclusion exclusive, excret excrete, exec, execut execute
execution, exempt, exfiltr exfiltrate exfiltration, exhort, exist existing exists, expand, -expans expansion, expect
expected, expenditur expenditure, -expens expense expensive, experi experience experiment, experienc experienced,
-experiment experimental, expert, explain, explan explanation, explicit explicitly, export, -expos expose exposes,
expr, express expressed expression, extend extends, extern external, extort extorted extortion, fabric fabricate
fabricated, fact, factor, fail fails, failur failure, fake faked, fall falls, -fals false falsely, falsifi falsified
falsify, fame, famous, faq, far, farther, farthest, fast, faster, fatal, father, fault, favour, favourit favourite,
fear, featur feature, februari february, feed feeding feeds, feel, femal female, fertil fertile, fetch, few, fewer,
fewest, fiction, field, fifti fifty, fight, figur figure, fill, final finalized, -finalis finalised, find finding
finds, fine, finish finished, finit finite, finland, finnish, fire, firm, first, five, fix, flag, flaw, flawless,
float, folder, follow following follows, food, fool, foolish, foot, for, forbid, forc force, foreign, forest, forg
forge forged, forgeri forgery, forget, form, format, former formerly, forti forty, forward, found founded, four,
fraction, franc france, fraud, fraudul fraudulent, free, freez freeze, french, frequent frequently, fresh, friday,
friend, from, front, fulfil, full, fulli fully, func, function, fund funding funds, further, futil futile, futur
future, gain, gap, gaseous, gather, gaug gauge, general generally, generat generate generated generates, german,
germani germany, get gets getting, gift, girl, give gives, glad, glanc glance, global, glossari glossary, go going,
goal, goe goes, good goods, govern governance, graduat graduate, grant, great greatly, greec greece, greed, greedi
greedy, greek, gross, ground, groundbreak groundbreaking, grow growing grows, -guarante guarantee, guard, guess,
guest, guid guide, guidanc guidance, guidelin guideline, guilti guilty, habitat, had, half, halt, handbook, handl
handle handles handling, happen happened happens, harass harassed harassment, hard hardly, harden, harder, harm
harmful, harmless, harvest, has, hash, hatch, hate, have having, hazard hazardous, he, header, health, hear, hearsay,
heat, heavi heavy, heavier, help helps, henc hence, her hers, herbivor herbivorous, here, herself, hidden, hide, high,
higher, him, himself, hint, hire, his, histori history, hoax, hold holds, holder, hole, holland, home, honest, hook,
horizont horizontal, horribl horrible, host, hot, hour hourly, hous house, how, howev however, hundr hundred, hungari
hungary, hungarian, hurt, husband, i, iceland icelandic, idea, ideal, ident identical, identifi identifies identify,
ie, if, ignor ignore ignores, ill illness, illeg illegal, imag image, imagin imagine, immedi immediate immediately,
immun immune, immut immutable, impact, impecc impeccable, impl, implement implementation implemented implements, impli
implies imply, implic implication, implicit implicitly, import importance important, imposs impossible, imprison
imprisoned, improv improve improvement, in, inabl inability, inact inactive, inadvert inadvertently, inaugur
inaugurated, inbound, incap incapable, incid incident, includ include included includes including, incom income
incoming, incompat incompatible, incompet incompetent, inconsist inconsistent, incorrect, -increas increase, -inde
indeed, independ independent, index, india, indian, indic indicate indicates indicator, indict indicted, indirect
indirectly, indoor indoors, ineffect ineffective, ineffectu ineffectual, ineffici inefficient, infam infamous,
infantri infantry, infinit infinite, inflat inflate, info, inform information, ingress, inhabit, inhal inhale,
inherit, inhibit, init, initi initial initialization initialize initially, inject, injur injure, inlet, inner, innoc
innocent, innocu innocuous, input, insan insane, insert, insid inside, insolubl insoluble, inspect, instal install
installation installed installs, instead, instruct, insuffici insufficient, int, integ integer, intend intended,
intent intentionally, interfac interface, internal, into, intraven intravenous intravenously, introduc introduce
introduced introduces, introduct introduction, intrud intrude intruder, invalid, invari invariably, -invas invasive,
invent invented, investig investigate, invok invoke, involv involve involves, inward inwards, ireland, irish,
-irrevers irreversible, is, isn't, issu issue, it its, itali italy, italian, item, itself, jail jailed, januari
january, japan, -japanes japanese, javascript, job, join, journey, js, judg judge, juli july, june, junior, just, keep
keeping keeps, key, keyword, kid, kill, kind, king, know knows, korea, korean, labour labourer, lack lacks, land,
landlord, languag language, larg large largely, larger, larva, last, late, later, latest, latitud latitude, latter,
launch launched, launder laundered laundering, law lawful, laxer, lay, layout, lazi lazy, lead leading leads, leaf,
learn learned learning, least, leav leave leaves, legaci legacy, legal, legend, legendari legendary, lend, lender,
lengthen, lenient, less, lesson, let, lethal, letter, level, lib, librari library, licenc licence, -licens license,
lie, life, lift lifted, light, lighter, like likely, limit limitation limited, line, link, liquid, list lists, littl
little, live lives, load, loan, local, locat locate located location, lock, log, long, longer, longitud longitude,
look looks, -loos loose, loosen, looser, loot looted, lose loses, loser, loss, lossi lossy, lossless, lot lots, loud,
louder, love, low, lower, -lowercas lowercase, machin machine, -magnific magnificent, mail, main mainly, maintain,
mainten maintenance, major majority, make makes making, male, malign malignant, man, manag manage management,
mandatori mandatory, mani many, manner, manslaught manslaughter, manual, map, march, margin marginally, mark, market,
marri married, match matches, materi material, matrix, matter, max, maxim maximal, maximum, may, mayb maybe, me, mean
meaning means, meanwhil meanwhile, measur measure measurement, mechan mechanism, median, meet, melt, member,
membership, mend, mention mentioned, mere merely, merg merge, messag message, metal metallic, method, methodolog
methodology, metric, mexican, mexico, mid, middl middle, midnight, might, migrat migration, mild, mileston milestone,
million, min, minim minimal minimize, minimum, minor minority, minut minutes, miracl miracle, miracul miraculous,
misappropri misappropriate misappropriated, miscellan miscellaneous, miser miserable, mishap, miss missing, mistak
mistake, mistaken mistakenly, mix, mode, model, modifi modify, modul module, molest molested, monday, money, monitor,
month monthly, more, moreov moreover, morn morning, most mostly, mother, motiv motivation motive, mount, mous mouse,
move moved moves moving, msg, much, multipl multiple, murder murdered murderer, must, mutabl mutable, my, myth, name
named names naming, narrow narrower, narrowli narrowly, nativ native, natur natural, near nearly, nearest, necessari
necessary, need needed needs, negat negative, neglect, neglig negligent negligible, neither, nestl nestling, net,
netherland netherlands, never, nevertheless, new, newcom newcomer, newer, next, night, nine, nineti ninety, no, nobodi
nobody, nocturn nocturnal, nomin nominate, none, -nonsens nonsense, noon, nor, norm, normal, north, northern, norway,
norwegian, not, notabl notable, note noted notes, noth nothing, notic notice, notifi notify, notion, notori notorious,
novemb november, novic novice, now, nowaday nowadays, nullabl nullable, num, number, numer numeral numerator, -nurs
nurse, nutrit nutrition, obj, object objection objective, oblig obligation oblige obliged, obligatori obligatory,
observ observation observe, obsolet obsolete obsoleted, obtain, obvious, occupi occupy, occur occurs, occurr
occurrence, octob october, odd odds, of, off, offer offers, offici official, offlin offline, offspr offspring, often,
old, older, oldest, omiss omission, omit omitted, on, onc once, one ones, -onli only, onlin online, onto, open opened,
oper operate operation operative operator, -oppos oppose, opposit opposite, opt, option optional, or, oral orally,
order, ordinari ordinary, -organis organisation, organiz organization, origin original, other others, -otherwis
otherwise, ought, our, ourselv ourselves, out, outbound, outcom outcome, outdat outdated, outdoor outdoors, outer,
outgo outgoing, outlet, outlin outline, outlook, output, outsid outside, outstand outstanding, outward outwards, over,
overrid override, overrul overrule, overst overstated, overturn, overview, overwrit overwrite, own, owner, ownership,
packag package, page, paper, param, paramet parameter, parasit parasite parasitic, parent parents, -pars parse parses,
part partly, partial partially, particip participant, particular, pass passed passes, passiv passive, patient, paus
pause, pay, peac peace, pend pending, peopl people, per, percent, perenni perennial, perfect perfection, perform
performance, perhap perhaps, peril perilous, period, perish, perman permanent, permit permits permitted, perpetu
perpetual, person, perspect perspective, phase, photo, physician, pick, pictur picture, pilfer pilfered, pkg, place
placed, plagiar plagiarize plagiarized, plain, plaintiff, plan planning, plant, platform, play, -pleas please, plural,
point points, pointless, poison poisoned poisonous, poland, polici policy, polish, poll, poor, pop, popular, port,
portion, portug portugal, -portugues portuguese, posit position positive, possess possession, possibl possible
possibly, post, postpon postpone postponed, practic practice, -prais praise, precaut precaution, -preced precede
preceding, -precis precise, predat predator, prefer preferred prefers, prefix, preliminari preliminary, prepar
preparation prepare, prepend, prerequisit prerequisite, present presents, preserv preserve, preset, prevent prevents,
previous previously, prey, price, primari primary, primarili primarily, princip principal, principl principle, print,
prior, prison, privat private, probabl probably, problem, procedur procedure, proceed, process, produc produce
produced producer produces, product production, profit, program, programm programme, prohibit prohibited, project,
prolong, promot promote, pronounc pronounced, proof, properti property, proport proportion, -propos proposal propose
proposed proposes, proprietari proprietary, proprietor, pros, prosecut prosecution, protect protects, protocol, prove,
provid provide provided provides, -provis provision, -provision provisional provisionally, public, publish published
publisher publishes, pull, pupil, -purchas purchase, -purpos purpose, push, put, qualiti quality, quantiti quantity,
quarrel, quarter quarterly, queen, question, quick, quicker, quiet, quieter, quit quite, quot quote, -rais raise
raises, random, rang range, rank, rape raped, rapid, rare rarely, rat, rate, rather, ratifi ratified ratify, -rational
rationale, raw, reach reaches, read reading reads, realli really, rear, reason reasons, recal recalled, receiv receive
received receiver receives, recent, recept reception, recipi recipient, reckless, recommend recommendation recommended
recommends, record recorded records, reduc reduce, redund redundant, ref, refer reference references refers, reflect,
refresh, refus refusal refuse refused, refut refute, region, regist register, regul regulation, reject rejected
rejects, relat relate related relation relative, relationship, -releas release released, relev relevance, reli relies
rely, reluct reluctant, remain remaining remains, remaind remainder, remark, rememb remember, remot remote, remov
remove removed removes, renam rename renames, renown renowned, repair, repeal repealed, repeat, replac replace
replaced replacement replaces, repli reply, repo, report reportedly reporting, repositori repository, -repres
represent represents, request requests, requir require required requirement requires, rescind rescinded, research,
reserv reserve, resid reside, resist resistance, resolut resolution, resolv resolve resolves, resourc resource,
respond responds, -respons response responsibility, rest, restrict restriction, result results, retain, retract
retracted, retreat, return returned returns, reus reuse, reveal, -revers reverse reversible, revert, review reviewer,
-revis revision, revok revoked, revolut revolution, revolutionari revolutionary, rich, rid, ride, ridicul ridiculous,
right, rise, risk, rival, road, rob robbed robs, robber, robberi robbery, role, root, rough roughly, rougher, ruin,
rule, rumor, rumour, run running runs, rural, russia, russian, s, sabotag sabotage sabotaged, safe, safeti safety,
salari salaried salary, sale, same, sane, satisfi satisfies satisfy, saturday, save, say says, scale, scam scammed,
scandal scandalous, scatter, sceptic sceptical, schedul schedule, scope, scot scots, scotland, scottish, scrap, seal
sealed, search, season, second, secondari secondary, section, secur secure security, see, seek, seem seems, seldom,
select selection, sell selling, seller, semant semantics, send sends, sender, senior, -sens sense, sentenc sentenced,
separ separate, septemb september, sequenc sequence, serious, serv serve serves, servic service, set sets setting,
setup, seven, seventi seventy, sever several severe, shake, shall, shallow, shame shameful, shape, share shared
shares, sharp, she, shelv shelve, shield shields, shift, ship shipped ships, shoddi shoddy, shop, short, shortag
shortage, shorten, shorter, should, shouldn't, show shows, shrink, shrinkag shrinkage, shut, shutdown, sick, side,
sign signed, signal, signifi signify, -signific significance significant, silent, similar similarity, simpl simple,
simpler, simpli simply, sinc since, singl single, singular, sink, sister, sit, site, situat situation, six, sixti
sixty, size, skill skilled, skip, slay, slight slightly, slow, slower, small, smaller, smooth, smoother, smuggl
smuggle smuggled smuggling, so, soften, softwar software, soldier, solid, solubl soluble, solv solve, some, someon
someone, someth something, sometim sometimes, son, soon, sooner, sort, sourc source, south, southern, sow, space,
spain, spanish, spare spared, speak, spec, speci species, special, specif specific specification, specifi specified
specifies specify, specul speculate speculative, speed, spend, splendid, split, sponsor, spoof spoofed, spot, spread,
spring, stab stabbed, stabl stable, stage, stale, stand stands, standard, starboard, start starting starts, startup,
state stated stateful states, stateless, static, statist statistics, status, stay stays, stdlib, steal steals, step,
steril sterile, stern, stick, still, stimul stimulate, sting, stone, stop, storag storage, store stored stores
storing, stori story, str, straight, strand, strang strange, strategi strategy, street, strength, strengthen, strict,
stricter, strike, string, strip, strong strongly, stronger, struck, structur structure, student, studi study, stupid,
style, subclass, subject, subscrib subscriber, subsequ subsequent, substanti substantially, substitut substitute,
succeed, success, successor, such, suffix, suggest suggestion suggests, suit, sum, summar summarize, summari summary,
summer, sunday, -sunris sunrise, sunset, superb, superclass, superflu superfluous, -supersed supersede superseded
supersedes, suppli supply, support supported supports, -suppos supposed supposedly, suppress, surpass, surplus,
surround surroundings, surviv survive, suspect, suspend suspended, suspicion, swallow, swear, sweden, swedish, swift,
swindl swindle swindled, swiss, switch switched, switzerland, symbol, symmetr symmetric symmetrical, symptom, sync,
synchron synchronization synchronous synchronously, syntax, synthet synthetic, system, t, tabl table, tag, take takes,
tale, talk, tall, taller, tame, target, task, teach teaching, teacher, team, techniqu technique, technolog technology,
tell tells, temp, temporari temporary, temporarili temporarily, ten, tenant, tentat tentative, term, terminolog
terminology, terribl terrible, test testing tests, text, than, that, the, theft, their theirs, them, theme, themselv
themselves, then, theori theory, there, therebi thereby, therefor therefore, these, thesi thesis, they, thick,
thicker, thief, thiev thieves, thin, thing things, think, thinner, third, thirti thirty, this, those, though,
thousand, threat, threaten, three, thrice, through, throughout, throw, thursday, thus, tighten, time timing, timelin
timeline, tini tiny, tip, titl title, to, today, togeth together, tomorrow, too, tool, top, topic, total totally,
tough, toward towards, town, toxic, track tracks, tradit tradition, traffic, traffick trafficked trafficking, trail
trailing, train training, transcript, transform, transit transition, transmit, transport, treat treats, treatment,
trend, tri tried tries try, trial, trip, troop, troubl trouble, troubleshoot troubleshooting, true, tuesday, turkey,
turkish, turn turned turns, tutori tutorial, twelv twelve, twenti twenty, twice, two, type, typic typical typically,
uk, unabl unable, unanim unanimous unanimously, unavail unavailable, unbeat unbeatable, uncertain, unchang unchanged,
uncl uncle, unclear, uncommon, unconfirm unconfirmed, undefin undefined, under, understand, unequ unequal, -uniniti
uninitialized, -uninstal uninstall, uniqu unique, unit, unknown, unlaw unlawful, unless, unlik unlike unlikely,
unlimit unlimited, unload, unlock, unmount, unnecessari unnecessary, unoffici unofficial, unpopular, unproven,
-unrival unrivalled, unsaf unsafe, unsign unsigned, unstabl unstable, unsupport unsupported, unsur unsure, unsurpass
unsurpassed, until, untru untrue, unus unused, unverifi unverified, unwil unwilling, up, updat update updated updates,
upgrad upgrade, upheld, uphil uphill, upload uploaded, upon, -uppercas uppercase, uproot, upstream, upwind, urban, urg
urge, us, usa, usag usage, use used useful uses using, useless, user, usual usually, util utilize, vain, valid
validate validation, valu value, vandal vandalize vandalized, vanish, var, variabl variable, variant, variat
variation, varieti variety, various, vein, veloc velocity, venom venomous, veri very, verifi verify, version, vertic
vertical, vessel, veto vetoed, via, victori victory, view, violat violate, visibl visible, visit, volunt volunteer,
voluntari voluntary, vote, voyag voyage, vs, vulner vulnerability vulnerable, wage, wait, waiv waived, wale wales,
want wants, war, ware wares, warm, warn warning, was, wasn't, watch, way ways, we, weak weakness, weaken, weaker,
wear, wednesday, week weekly, weekday, weekend, weigh weighing, weight, welcom welcome, well, welsh, were, west,
western, wet, what, whatev whatever, when, where, wherea whereas, whether, whi why, which, while, whitespac
whitespace, who, whole, wholli wholly, whom, whose, wick wicked, wide widely, widen, wife, wiki, wild, will, win,
winner, winter, wish, with, withdraw, withdrawn, within, without, woman, won't, wood, wooden, work worked works,
worker, workflow, -wors worse, worsen, worst, worthless, would, write writes writing, writer, wrong wrongly, year
yearly, yesterday, yet, yield, you, youngest, your yours, yourself, zero
"""
