"""The stems of the words in curator's own tables, each with its words, by tests/scripts/stems.py.

A stem is a word itself, unless a ``-`` stands before it.
"""

from __future__ import annotations

STEMS = """
abandon abandoned, abl able, abolish abolished, abort, about, abov above, absenc absence, absent, absolut absolute,
absorb, abstain, abstract, absurd, abus abuse abused, -acceler accelerate, accept acceptable accepted, accid accident,
-accident accidentally, accord according, account, accur accurate, accuraci accuracy, accus accuse, acid acidic,
acquir acquire, acquit, action, activ activate active activity, actual actually, acut acute, add, addit addition
additional, admir admire, admit, adopt adopted, adult, advanc advance advanced, advantag advantage, advic advice,
-advis advise advised, aerob aerobic, affirm affirmed, after, afterward afterwards, again, against, age, ago, -agre
agree agreed, ahead, aid, aim, alkalin alkaline, all, alleg allege allegedly, alli ally, alloc allocate, allow
allowed, almost, along, alreadi already, also, alter, altern alternative, although, altogeth altogether, alway always,
am, amend, america, american, amid, among, amount, an, anaerob anaerobic, analysi analysis, ancestor, and, anecdot
anecdotal, ani any, anim animal, announc announce, annual annually, anoth another, answer, anti, -anticlockwis
anticlockwise, anybodi anybody, anyth anything, anyway, apart, app, appar apparently, appear appearance, append,
appendix, appli apply, applic applicable application, appoint appointed, appreci appreciate, approach, appropri
appropriate, approv approval approve approved, approx, approxim approximately, april, architectur architecture, archiv
archive, are, area, arg, argu argue, argument, around, arrang arrange, arrest arrested, arriv arrive, arson, arteri
artery, articl article, artifici artificial, as, ascend ascending, asid aside, ask, aspect, assassin assassinate
assassinated, assault assaulted, assembl assemble, assert, assess, assist, asymmetr asymmetric asymmetrical, asynchron
asynchronous asynchronously, at, attach, attack attacker, attempt, attr, attribut attribute, august, aunt, australia,
australian, austria, austrian, auth, authent authentication, author authored authorization, automat automatic, autumn,
avail availability available, averag average, avoid, aw awful, await awaiting awaits, award, back, background,
backward, bad, ballot, ban, bar, bare, basic basics, battl battle, be being, bear, beat, becam became, becaus because,
becom become becomes, been, befor before, beforehand, begin beginning, beginn beginner, behavior, behaviour, behind,
belgian, belgium, believ believe, belong, belov beloved, below, benefici beneficial, benefit, benign, bequest, besid
besides, best, better, between, beyond, biennial, big, bigger, bind binding, biolog biology, bite, blackmail
blackmailed, blame, blank, blend, blind blinded, block, blunt, boat, boil, boot, border, borrow borrower, both,
bottom, boundari boundary, bow, boy, brazil, brazilian, break, bribe bribed, briberi bribery, brief, bright, brighter,
brilliant, bring, britain, british, broad, broader, brother, bug, build building, burglar, burglari burglary, burn,
busi business, but, buy buying, buyer, by, calendar, call called, can, canada, canadian, cancel cancelled, cannot,
cap, care careful, careless, carnivor carnivorous, carri carry, case, catastroph catastrophe catastrophic, catch,
categori category, caus cause, caution, cavalri cavalry, -ceas cease, ceil ceiling, celebr celebrate celebrated,
challeng challenge, chang change changed, changelog, char, charact character, characterist characteristic, cheap,
cheaper, cheat cheated, check checking, checksum, chief, chiefli chiefly, child, chill, china, -chines chinese, choic
choice, -choos choose choosing, chronic, circumst circumstances, cite, citi city, claim, class, classif
classification, clean cleaning, client, -clockwis clockwise, close, closer, closest, clue, cmd, cold, -collaps
collapse, collect, column, combin combine, come comes, command, commenc commence, commend, comment, common, communiti
community, compani company, compar compare compared, comparison, compat compatibility, compet competence, complet
complete completed completely, complex, complic complicated, compon component, composit composition, compress,
-compris comprise, compulsori compulsory, comput computer, con cons, concav concave, conceal, concentr concentrate,
concept, concern, conclud conclude concluded, conclus conclusion, -condens condense, condit condition, config,
configur configuration, confirm, conflict, connect, consent, consequ consequence, consid consider, -consider
considerably, constraint, construct construction, consum consume consumer, contact, contain, contend, content,
context, contract contraction, contradict contradiction, contrari contrary, contrast, contribut contribution, control,
convert, convex, convey, convict convicted conviction, cook cooked, cool, copi copy, correct, corrupt corrupted
corruption, cost, could, counsel, count counting, -counterclockwis counterclockwise, counterfeit, countri country,
-cours course, cover, coward cowardly, crash, creat create, credit, criterion, critic criticism criticize, -criticis
criticise, crowd, cruel, current currently, custom customer, cut, cycl cycle, czech, czechia, daili daily, damag
damage, danger dangerous, danish, dark, darker, -databas database, date, datum, daughter, dawn, day, daytim daytime,
db, dead deadly, deal, dear, dearer, death, debit, debunk, deceiv deceive deceived, decemb december, decid decide
decided, decidu deciduous, -decis decision, declin decline declined, decod decode, decompress, -decreas decrease,
decrypt, deep, default, defeat, defect, defenc defence, defend defendant, defer deferred, deficit, defin define
defined, definit definition, deflat deflate, defraud defrauded, degrad degrade, delay delayed, delet delete deleted,
-deliber deliberately, deliv deliver, demand, demolish demolished, demonstr demonstrate, demot demote, deni deny,
denial, denmark, denomin denominator, denot denote, depart, depend dependency, deprec deprecate deprecated, depriv
deprive, dequeu dequeue, descend descendant descending, describ describe, descript description, design, desir desired,
-despis despise, despit despite, destroy destroyed, detach, detail, detect, determinist deterministic, dev, develop
developer development, diagnosi diagnosis, diagram, dict, dictionari dictionary, did, die, differ difference different
differently differs, difficult, difficulti difficulty, digest, digit, dilut dilute, dim, -dimens dimension, dimmer,
dir, direct directive directly, directori directory, dirti dirty, dis, disabl disable disabled, disadvantag
disadvantage, -disagre disagree, disallow, disappear, disapprov disapproved, disast disaster, disastr disastrous,
discard, disconnect, discontinu discontinued, discourag discourage discouraged, discov discover, discoveri discovery,
discuss discussion, -diseas disease, disgrac disgraceful, dishonest, dismantl dismantle, dismiss dismissed, dispatch,
-dispens dispensable, display, disprov disprove, disput dispute, disregard, dissolv dissolve, distant, distinct,
distribut distribute distribution, diurnal, divid divide, divorc divorced, do doing, doc, doctor, document
documentation, doe does, domain, domest domestic, donat donate, done, doubt doubtful, down, downgrad downgrade,
downhil downhill, downstream, downwind, draft drafted, draw drawing, drawback, dread, dri dry, drink, drive, drone,
drop dropped, drunk, drunken, duplic duplicate, dure during, dusk, dutch, duti duty, dwell dwelling, dynam dynamic,
each, eager, -earli early, earlier, easi easy, easier, east, eastern, eat, edg edge, edibl edible, edit edition,
editor, effect effective, effici efficient efficiently, eg, egress, eight, eighti eighty, either, elect elected,
element, eleven, elimin eliminated, -els else, -elsewher elsewhere, embezzl embezzle embezzled embezzlement, emit,
employ employer, -employe employee, empti empty, enabl enable enabled, enact, encod encode, encourag encourage,
encrypt, end, -endors endorsed, enemi enemy, enhanc enhance, enqueu enqueue, entir entire entirely, entri entry,
-enumer enumerate, env, environ environment, equal, equip equipment, erect, error, estim estimate, etc, etymolog
etymology, europ europe, european, evalu evaluate evaluation, evapor evaporate, even, evening, event, ever, evergreen,
everi every, everybodi everybody, everyday, everyth everything, evid evidence evident, exact exactly, examin examine,
exampl example, excel excellent, except exception, exclud exclude, exclus exclusion exclusive, excret excrete, exec,
execut execute execution, exempt, exfiltr exfiltrate exfiltration, exhort, exist exists, expand, -expans expansion,
expect, expenditur expenditure, -expens expense expensive, experi experience experiment, experienc experienced,
-experiment experimental, expert, explain, explan explanation, explicit, export, -expos expose, expr, express
expression, extend, extern external, extort extorted extortion, fabric fabricate fabricated, fact, factor, fail,
failur failure, fake faked, fall, -fals false falsely, falsifi falsified falsify, fame, famous, faq, far, farther,
farthest, fast, faster, fatal, father, fault, favour, favourit favourite, fear, featur feature, februari february,
feed feeding, feel, femal female, fertil fertile, few, fewer, fewest, fiction, field, fifti fifty, fight, figur
figure, fill, final finalized, -finalis finalised, find finding, fine, finish finished, finit finite, finland,
finnish, fire, firm, first, five, fix, flag, flaw, flawless, float, folder, follow following follows, food, fool,
foolish, foot, for, forbid, forc force, foreign, forest, forg forge forged, forgeri forgery, forget, form, format,
former formerly, forti forty, forward, four, fraction, franc france, fraud, fraudul fraudulent, free, freez freeze,
french, frequent frequently, fresh, friday, friend, from, front, fulfil, full, fulli fully, func, function, fund
funding funds, further, futil futile, futur future, gain, gap, gaseous, gather, gaug gauge, general, generat generate,
german, germani germany, get gets getting, gift, girl, give gives, glad, glanc glance, global, glossari glossary, go,
goal, goe goes, good goods, govern governance, graduat graduate, grant, great greatly, greec greece, greed, greedi
greedy, greek, gross, ground, groundbreak groundbreaking, grow growing, guard, guess, guest, guid guide, guidanc
guidance, guidelin guideline, guilti guilty, habitat, had, half, halt, handbook, handl handle handling, happen
happened happens, harass harassed harassment, hard hardly, harden, harder, harm harmful, harmless, harvest, has, hash,
hatch, hate, have having, hazard hazardous, he, header, health, hearsay, heat, heavi heavy, heavier, help, henc hence,
her, herbivor herbivorous, here, herself, hidden, hide, high, higher, him, himself, hint, hire, his, histori history,
hoax, hold holds, holder, hole, holland, home, honest, hook, horizont horizontal, horribl horrible, host, hot, hour
hourly, hous house, how, howev however, hundr hundred, hungari hungary, hungarian, hurt, husband, i, iceland
icelandic, idea, ideal, ident identical, ie, if, ignor ignore, ill illness, illeg illegal, imag image, imagin imagine,
immedi immediate immediately, immun immune, immut immutable, impact, impecc impeccable, impl, implement
implementation, implic implication, implicit, import importance important, imposs impossible, imprison imprisoned,
improv improve improvement, in, inabl inability, inact inactive, inadvert inadvertently, inaugur inaugurated, inbound,
incap incapable, incid incident, includ include included including, incom income incoming, incompat incompatible,
incompet incompetent, inconsist inconsistent, incorrect, -increas increase, independ independent, index, india,
indian, indic indicate indicator, indict indicted, indirect indirectly, indoor indoors, ineffect ineffective,
ineffectu ineffectual, ineffici inefficient, infam infamous, infantri infantry, infinit infinite, inflat inflate,
info, inform information, ingress, inhabit, inhal inhale, inherit, inhibit, init, initi initial initialization
initialize initially, inject, injur injure, inlet, inner, innoc innocent, innocu innocuous, input, insan insane,
insert, insid inside, insolubl insoluble, inspect, instal install installation, instead, instruct, insuffici
insufficient, int, integ integer, intend, intent intentionally, interfac interface, internal, into, intraven
intravenous intravenously, introduc introduce introduced, introduct introduction, intrud intrude intruder, invalid,
invari invariably, -invas invasive, investig investigate, inward inwards, ireland, irish, -irrevers irreversible, is,
issu issue, it its, itali italy, italian, item, itself, jail jailed, januari january, japan, -japanes japanese,
javascript, job, join, journey, js, judg judge, juli july, june, junior, just, keep keeping, key, keyword, kid, kill,
kind, king, know, korea, korean, labour labourer, lack, land, landlord, languag language, larg large largely, larger,
larva, last, late, later, latest, latitud latitude, launch launched, launder laundered laundering, law lawful, laxer,
lay, layout, lazi lazy, lead leading, leaf, learn learned learning, least, leav leave, legaci legacy, legal, legend,
legendari legendary, lend, lender, lengthen, lenient, less, lesson, let, lethal, letter, level, lib, librari library,
licenc licence, -licens license, lie, life, lift lifted, light, lighter, like likely, limit limitation limited, line,
link, liquid, list, littl little, live, load, loan, local, locat locate location, lock, log, long, longer, longitud
longitude, look, -loos loose, loosen, looser, loot looted, lose, loser, loss, lossi lossy, lossless, lot lots, loud,
louder, love, low, lower, -lowercas lowercase, machin machine, -magnific magnificent, mail, main mainly, maintain,
mainten maintenance, major majority, make makes making, male, malign malignant, man, manag management, mandatori
mandatory, mani many, manner, manslaught manslaughter, manual, march, margin marginally, mark, market, marri married,
match, materi material, matrix, max, maxim maximal, maximum, may, mayb maybe, me, mean meaning means, meanwhil
meanwhile, measur measure measurement, mechan mechanism, median, meet, melt, member, membership, mend, mention, merg
merge, messag message, metal metallic, method, methodolog methodology, metric, mexican, mexico, mid, middl middle,
midnight, might, migrat migration, mild, mileston milestone, million, min, minim minimal minimize, minimum, minor
minority, minut minutes, miracl miracle, miracul miraculous, misappropri misappropriate misappropriated, miscellan
miscellaneous, miser miserable, mishap, miss missing, mistak mistake, mistaken mistakenly, mix, mode, model, modifi
modify, modul module, molest molested, monday, money, monitor, month monthly, more, morn morning, most mostly, mother,
motiv motivation motive, mount, mous mouse, move moving, msg, much, multipl multiple, murder murdered murderer, must,
mutabl mutable, my, myth, name naming, narrow narrower, narrowli narrowly, nativ native, natur natural, near nearly,
nearest, necessari necessary, need needed needs, negat negative, neglect, neglig negligent negligible, neither, nestl
nestling, net, netherland netherlands, never, new, newcom newcomer, newer, next, night, nine, nineti ninety, no,
nobodi nobody, nocturn nocturnal, nomin nominate, none, -nonsens nonsense, noon, nor, norm, normal, north, northern,
norway, norwegian, not, notabl notable, note notes, noth nothing, notic notice, notifi notify, notion, notori
notorious, novemb november, novic novice, now, nowaday nowadays, nullabl nullable, num, number, numer numeral
numerator, -nurs nurse, nutrit nutrition, obj, object objection objective, oblig obligation oblige obliged, obligatori
obligatory, observ observation observe, obsolet obsolete obsoleted, obtain, obvious, occupi occupy, occur, occurr
occurrence, octob october, odd odds, of, off, offer, offici official, offlin offline, offspr offspring, often, old,
older, oldest, omiss omission, omit omitted, on, onc once, one ones, -onli only, onlin online, open opened, oper
operation operative operator, -oppos oppose, opposit opposite, opt, option optional, or, oral orally, order, ordinari
ordinary, -organis organisation, organiz organization, origin original, other, -otherwis otherwise, ought, our,
ourselv ourselves, out, outbound, outcom outcome, outdat outdated, outdoor outdoors, outer, outgo outgoing, outlet,
outlin outline, outlook, output, outsid outside, outstand outstanding, outward outwards, over, overrid override,
overrul overrule, overturn, overview, overwrit overwrite, own, owner, ownership, packag package, page, paper, param,
paramet parameter, parasit parasite parasitic, parent parents, part partly, partial partially, particip participant,
pass passed, passiv passive, patient, paus pause, pay, peac peace, pend pending, peopl people, per, percent, perenni
perennial, perfect perfection, perform performance, perhap perhaps, peril perilous, period, perish, perman permanent,
permit permitted, perpetu perpetual, person, perspect perspective, phase, photo, physician, pick, pictur picture,
pilfer pilfered, pkg, place, plagiar plagiarize plagiarized, plain, plaintiff, plan planning, plant, platform, plural,
point, pointless, poison poisoned poisonous, poland, polici policy, polish, poll, poor, pop, popular, port, portion,
portug portugal, -portugues portuguese, posit position positive, possess possession, possibl possible possibly, post,
postpon postpone postponed, practic practice, -prais praise, precaut precaution, -preced precede preceding, -precis
precise, predat predator, prefer preferred, prefix, preliminari preliminary, prepar preparation, prepend, prerequisit
prerequisite, present, preserv preserve, preset, prevent, previous previously, prey, price, primari primary, primarili
primarily, princip principal, principl principle, print, prior, prison, privat private, probabl probably, problem,
procedur procedure, process, produc produce producer, product production, profit, program, programm programme,
prohibit prohibited, project, prolong, promot promote, pronounc pronounced, proof, properti property, proport
proportion, -propos proposal propose proposed, proprietari proprietary, proprietor, pros, prosecut prosecution,
protect, protocol, provid provide provided, -provis provision, -provision provisional provisionally, public, publish
published publisher, pull, pupil, -purchas purchase, -purpos purpose, push, put, qualiti quality, quantiti quantity,
quarrel, quarter quarterly, queen, question, quick, quicker, quiet, quieter, quit, quot quote, -rais raise, random,
rang range, rank, rape raped, rapid, rare rarely, rat, rate, rather, ratifi ratified ratify, -rational rationale, raw,
reach, read reading, realli really, rear, reason reasons, recal recalled, receiv receive receiver, recent, recept
reception, recipi recipient, reckless, recommend recommendation recommended, record, reduc reduce, redund redundant,
ref, refer reference, refresh, refus refusal refuse refused, refut refute, region, regist register, regul regulation,
reject rejected, relat relate related relation relative, relationship, -releas release released, relev relevance,
reluct reluctant, remain remaining, remaind remainder, remark, rememb remember, remot remote, remov remove removed,
renown renowned, repair, repeal repealed, repeat, replac replace replaced replacement, repli reply, repo, report
reportedly reporting, repositori repository, request, requir require required requirement, rescind rescinded,
research, reserv reserve, resid reside, resist resistance, resolut resolution, resolv resolve, resourc resource,
respond, -respons response responsibility, rest, restrict restriction, result, retain, retract retracted, retreat,
return, reveal, -revers reverse reversible, review reviewer, -revis revision, revok revoked, revolut revolution,
revolutionari revolutionary, rich, rid, ride, ridicul ridiculous, right, rise, risk, rival, road, rob robbed robs,
robber, robberi robbery, role, root, rough roughly, rougher, ruin, rule, rumor, rumour, run running, rural, russia,
russian, s, sabotag sabotage sabotaged, safe, safeti safety, salari salaried salary, sale, same, sane, satisfi
satisfy, saturday, save, say says, scale, scam scammed, scandal scandalous, scatter, sceptic sceptical, schedul
schedule, scope, scot scots, scotland, scottish, scrap, seal sealed, search, season, second, secondari secondary,
section, secur secure security, see, seek, seem, seldom, select selection, sell selling, seller, semant semantics,
send, sender, senior, -sens sense, sentenc sentenced, separ separate, septemb september, sequenc sequence, serious,
servic service, set setting, setup, seven, seventi seventy, sever severe, shake, shall, shallow, shame shameful,
shape, share shared, sharp, she, shelv shelve, shield, shift, ship shipped, shoddi shoddy, shop, short, shortag
shortage, shorten, shorter, should, show, shrink, shrinkag shrinkage, shut, shutdown, sick, side, sign signed, signal,
signifi signify, -signific significance significant, silent, similar similarity, simpl simple, simpler, sinc since,
singl single, singular, sink, sister, site, situat situation, six, sixti sixty, size, skill skilled, skip, slay,
slight slightly, slow, slower, small, smaller, smooth, smoother, smuggl smuggle smuggled smuggling, so, soften,
softwar software, soldier, solid, solubl soluble, some, someth something, sometim sometimes, son, soon, sooner, sort,
sourc source, south, southern, sow, space, spain, spanish, spare spared, speak, spec, speci species, special, specif
specification, specifi specified specify, specul speculate speculative, speed, spend, splendid, split, sponsor, spoof
spoofed, spot, spread, spring, stab stabbed, stabl stable, stage, stale, stand, standard, starboard, start starting,
startup, state stateful, stateless, static, statist statistics, status, stay, stdlib, steal steals, step, steril
sterile, stern, stick, still, stimul stimulate, sting, stone, stop, storag storage, store storing, stori story, str,
straight, strand, strang strange, strategi strategy, street, strength, strengthen, strict, stricter, strike, string,
strip, strong strongly, stronger, struck, structur structure, student, studi study, stupid, style, subclass, subject,
subscrib subscriber, subsequ subsequent, substanti substantially, substitut substitute, succeed, success, successor,
such, suffix, suggest suggestion, sum, summar summarize, summari summary, summer, sunday, -sunris sunrise, sunset,
superb, superclass, superflu superfluous, -supersed supersede superseded, suppli supply, support supported, -suppos
supposed supposedly, suppress, surpass, surplus, surround surroundings, surviv survive, suspect, suspend suspended,
suspicion, swallow, swear, sweden, swedish, swift, swindl swindle swindled, swiss, switch switched, switzerland,
symbol, symmetr symmetric symmetrical, symptom, sync, synchron synchronization synchronous synchronously, syntax,
synthet synthetic, system, t, tabl table, tag, take takes, tale, talk, tall, taller, tame, target, task, teach
teaching, teacher, team, techniqu technique, technolog technology, tell tells, temp, temporari temporary, temporarili
temporarily, ten, tenant, tentat tentative, term, terminolog terminology, terribl terrible, test testing, text, than,
that, the, theft, their theirs, them, theme, themselv themselves, then, theori theory, there, therefor therefore,
these, thesi thesis, they, thick, thicker, thief, thiev thieves, thin, thing things, think, thinner, third, thirti
thirty, this, those, though, thousand, threat, threaten, three, thrice, through, throw, thursday, thus, tighten, time
timing, timelin timeline, tini tiny, tip, titl title, to, today, togeth together, too, tool, top, topic, total
totally, tough, toward towards, town, toxic, tradit tradition, traffic, traffick trafficked trafficking, trail
trailing, train training, transcript, transform, transit transition, transmit, transport, treat, treatment, trend, tri
tried try, trial, trip, troop, troubl trouble, troubleshoot troubleshooting, true, tuesday, turkey, turkish, turn
turned, tutori tutorial, twelv twelve, twenti twenty, twice, two, type, typic typical, uk, unabl unable, unanim
unanimous unanimously, unavail unavailable, unbeat unbeatable, uncertain, unchang unchanged, uncl uncle, unclear,
uncommon, unconfirm unconfirmed, undefin undefined, under, understand, unequ unequal, -uniniti uninitialized,
-uninstal uninstall, uniqu unique, unit, unknown, unlaw unlawful, unless, unlik unlike unlikely, unlimit unlimited,
unload, unlock, unmount, unnecessari unnecessary, unoffici unofficial, unpopular, unproven, -unrival unrivalled, unsaf
unsafe, unsign unsigned, unstabl unstable, unsupport unsupported, unsur unsure, unsurpass unsurpassed, until, untru
untrue, unus unused, unverifi unverified, unwil unwilling, up, updat update, upgrad upgrade, upheld, uphil uphill,
upon, -uppercas uppercase, uproot, upstream, upwind, urban, urg urge, us, usa, usag usage, use used useful uses using,
useless, user, usual usually, util utilize, vain, valid validation, valu value, vandal vandalize vandalized, vanish,
var, variabl variable, variant, variat variation, varieti variety, vein, veloc velocity, venom venomous, veri very,
verifi verify, version, vertic vertical, vessel, veto vetoed, via, victori victory, view, violat violate, visibl
visible, visit, volunt volunteer, voluntari voluntary, vote, voyag voyage, vs, vulner vulnerability vulnerable, wage,
wait, waiv waived, wale wales, want wants, war, ware wares, warm, warn warning, was, watch, way ways, we, weak
weakness, weaken, weaker, wear, wednesday, week weekly, weekday, weekend, weigh weighing, weight, welcom welcome,
well, welsh, were, west, western, wet, what, when, where, wherea whereas, whether, whi why, which, while, whitespac
whitespace, who, whole, wholli wholly, whom, whose, wick wicked, wide widely, widen, wife, wiki, wild, will, win,
winner, winter, wish, with, withdraw, withdrawn, within, without, woman, wood, wooden, work works, worker, workflow,
-wors worse, worsen, worst, worthless, would, write writing, writer, wrong wrongly, year yearly, yet, yield, you,
youngest, your, yourself, zero
"""
