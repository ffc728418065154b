"""The stems of the words in curator's own tables, each with its words, by tests/scripts/stems.py.

A stem is a word itself, unless a ``-`` stands before it.
"""

from __future__ import annotations

STEMS = """
abandon abandoned, abl able, abolish abolished, about, abov above, absenc absence, absent, absolut absolute, abstain,
abstract, abus abuse abused, -acceler accelerate, accept accepted, accid accident, accord according, account, accuraci
accuracy, acid acidic, acquir acquire, action, activ activate activity, actual actually, addit addition additional,
adopt adopted, advantag advantage, advic advice, -advis advise advised, affirm affirmed, after, afterward afterwards,
again, against, age, ago, -agre agree agreed, ahead, aid, aim, alik alike, alkalin alkaline, all, alleg allege
allegedly, alli ally, allow allowed, along, alreadi already, also, alter, altern alternative, although, altogeth
altogether, alway always, am, amend, america, american, amid, among, amount, an, analysi analysis, ancestor, and,
anecdot anecdotal, ani any, announc announce, annual annually, anoth another, answer, anti, -anticlockwis
anticlockwise, anybodi anybody, anyth anything, anyway, apart, app, appar apparently, appear appearance, appendix,
appli apply, applic applicable application, approach, appropri appropriate, approv approval approve approved, approx,
approxim approximately, april, architectur architecture, archiv archive, are, area, arg, argu argue, argument, around,
arrang arrange, arrest arrested, arriv arrive, arson, articl article, as, ascend ascending, asid aside, ask, aspect,
assassin assassinate assassinated, assault assaulted, assert, assist, assum assume, at, attach, attempt, attr,
attribut attribute, august, australia, australian, austria, austrian, auth, authent authentication, author authored
authorization, automat automatic, autumn, avail availability available, avoid, await, back, background, backward, bad,
ban, bar, bare, basic basics, be being, bear, becam became, becaus because, becom become becomes, been, befor before,
beforehand, begin beginning, behavior, behaviour, behind, belgian, belgium, believ believe, belong, below, benefici
beneficial, benefit, bequest, besid besides, best, better, between, beyond, big, bigger, bind binding, biolog biology,
blackmail blackmailed, blind blinded, block, boat, boot, borrow borrower, both, bottom, brazil, brazilian, break,
bribe bribed, briberi bribery, brief, bright, brighter, bring, britain, british, broad, broader, bug, build building,
burglar, burglari burglary, burn, busi business, but, buy buying, buyer, by, calendar, call called, can, canada,
canadian, cancel cancelled, cannot, cap, care, carri carried carry, case, catch, categori category, caus cause, -ceas
cease, ceil ceiling, chair, challeng challenge, chang change changed, changelog, char, charact character, characterist
characteristic, cheap, cheaper, cheat cheated, check checking, checksum, child, chill, china, -chines chinese, choic
choice, -choos choose choosing, circumst circumstances, cite, citi city, claim, class, classif classification, clean
cleaning, clear, client, -clockwis clockwise, close, closer, closest, cmd, cold, -collaps collapse, column, come
comes, command, commenc commence, comment, common, communiti community, compani company, compar compare compared,
comparison, compat compatibility, complet complete completed, complex, complic complicated, compon component, composit
composition, compress, compulsori compulsory, con cons, conceal, concept, concern, conclud conclude concluded, conclus
conclusion, condit condition, config, configur configuration, conflict, connect, consent, consequ consequence, consid
consider, constant, constraint, construct construction, consum consume, contact, contain, contend, content, context,
continu continue, contract contraction, contradict contradiction, contrari contrary, contrast, contribut contribution,
control, convey, convict convicted conviction, cook cooked, cool, correct, corrupt corrupted corruption, cost, could,
counsel, count counting, -counterclockwis counterclockwise, counterfeit, countri country, -cours course, cover, creat
create, credit, criterion, critic criticism criticize, -criticis criticise, current currently, custom customer, cycl
cycle, czech, czechia, daili daily, danger dangerous, danish, dark, darker, -databas database, date, datum, dawn, day,
daytim daytime, db, deal, dear, dearer, death, debit, debunk, deceiv deceive deceived, decemb december, decid decide
decided, -decis decision, declin decline declined, decod decode, decompress, -decreas decrease, decrypt, deep,
default, defeat, defect, defend defendant, defer deferred, deficit, defin defined, definit definition, defraud
defrauded, degrad degrade, delay delayed, deleg delegate, delet delete deleted, deliv deliver, demand, demolish
demolished, demonstr demonstrate, deni deny, denial, denmark, depart, depend dependency, deprec deprecate deprecated,
depriv deprive, descend descendant descending, describ describe, descript description, design, desir desired, despit
despite, destroy destroyed, detach, detail, dev, develop developer development, diagnosi diagnosis, dict, dictionari
dictionary, did, die, differ difference different differently differs, difficult, digest, digit, dim, -dimens
dimension, dimmer, dir, direct, directori directory, dis, disabl disable, disadvantag disadvantage, -disagre disagree,
disallow, disappear, disapprov disapproved, disconnect, discontinu discontinue discontinued, discourag discourage
discouraged, discoveri discovery, discuss discussion, -diseas disease, dismiss dismissed, dispatch, -dispens
dispensable, disprov disprove, disput dispute, disregard, distant, distribut distribution, divid divide, do doing,
doc, doctor, document documentation, doe does, done, dormant, doubl double, doubt doubtful, down, downgrad downgrade,
downhil downhill, downstream, downwind, draft drafted, draw, drawback, dri dry, drive, drop dropped, duplic duplicate,
dure during, dusk, dutch, dwell, dynam dynamic, each, eager, -earli early, earlier, easi easy, easier, east, eastern,
eat, edg edge, edit edition, editor, effect effective, effici efficient efficiently, eg, egress, eight, eighti eighty,
either, element, eleven, elimin eliminated, -els else, -elsewher elsewhere, embezzl embezzle embezzled embezzlement,
employ employer, -employe employee, empti empty, enabl enable, enact, encod encode, encourag encourage, encrypt, end,
-endors endorsed, enemi enemy, enough, entri entry, -enumer enumerate, env, environ environment, equal, equip
equipment, erect, error, essenti essential, estim estimate, etc, etymolog etymology, europ europe, european, evalu
evaluation, even, evening, event, ever, everi every, everybodi everybody, everyday, everyth everything, evid evidence,
exact exactly, examin examine, exampl example, exceed, except exception, exclud exclude, exclus exclusion exclusive,
exec, execut execute execution, exempt, exist exists, expand, -expans expansion, -expens expense expensive, experi
experience, -experiment experimental, expir expire, explain, explan explanation, explicit, export, expr, express
expression, extern external, extort extorted extortion, fabric fabricate fabricated, fact, factor, fail, failur
failure, fake faked, fall, -fals false falsely, falsifi falsified falsify, faq, far, farther, farthest, fast, faster,
fault, featur feature, februari february, feed feeding, feel, femal female, few, fewer, fewest, fiction, field, fifti
fifty, figur figure, final finalized, -finalis finalised, find finding, fine, finish finished, finland, finnish, fire,
firm, first, five, fix, flag, folder, follow following follows, food, foot, for, forbid, forc force, forest, forev
forever, forg forge forged, forgeri forgery, forget, form, format, former formerly, forti forty, forward, four, franc
france, fraud, fraudul fraudulent, free, french, frequent, friday, from, fulfil, full, func, function, fund funding
funds, further, futur future, gain, gaug gauge, general, german, germani germany, get gets getting, gift, give gives,
glanc glance, global, glossari glossary, go, goal, goe goes, good, govern governance, grant, great, greec greece,
greek, ground, grow growing, guess, guidanc guidance, guidelin guideline, guilti guilty, habitat, had, half, handl
handling, happen happened happens, harass harassed harassment, hard hardly, harden, harder, harm harmful, has, hash,
have having, hazard, he, health, hearsay, heat, heavi heavy, heavier, help, henc hence, her, here, herself, hide,
high, higher, him, himself, hire, his, histori history, hoax, hold holds, holder, holland, home, horizont horizontal,
hot, hour hourly, hous house, how, howev however, hundr hundred, hungari hungary, hungarian, i, iceland icelandic,
idea, idl idle, ie, if, ignor ignore, ill illness, illeg illegal, imag image, imagin imagine, immedi immediate, immun
immune, immut immutable, impact, impl, implement implementation, impli imply, implic implication, implicit, import
importance important, imposs impossible, imprison imprisoned, improv improve improvement, in, inabl inability, inaugur
inaugurated, inbound, incap incapable, incid incident, includ include including, incom incoming, incompat
incompatible, inconsist inconsistent, incorrect, -increas increase, independ independent, index, india, indian, indic
indicate indication indicator, indict indicted, -indispens indispensable, indoor indoors, ineffici inefficient, info,
inform information, ingress, inhabit, inherit, inhibit, init, initi initial initialization initialize, inlet, inner,
innoc innocent, input, insid inside, instal installation, instead, instruct, insuffici insufficient, int, integ
integer, intend, interfac interface, internal, into, introduc introduce, introduct introduction, invalid, investig
investigate, inward inwards, ireland, irish, is, issu issue, it its, itali italy, italian, item, itself, jail jailed,
januari january, japan, -japanes japanese, javascript, job, join, js, juli july, june, junior, just, keep keeping,
key, kid, kill, kind, know, korea, korean, labour, lack, landlord, languag language, -laps lapse, larg large, larger,
last, late, later, latest, launch launched, launder laundered laundering, law lawful, laxer, lay, layout, lazi lazy,
lead, learn learned learning, least, leav leave, legaci legacy, legal, legend, lend, lender, lengthen, lenient, less,
lesson, let, level, lib, librari library, licenc licence, -licens license, lie, life, lift lifted, light, lighter,
like likely, limit limitation limited, link, liquid, list, littl little, live, local, locat location, lock, log, long,
longer, look, -loos loose, loosen, looser, loot looted, lose, loser, loss, lossi lossy, lossless, lot lots, loud,
louder, low, lower, -lowercas lowercase, mail, main, maintain maintainer, mainten maintenance, major majority, make
makes making, male, man, manag management, mandatori mandatory, mani many, manslaught manslaughter, manual, march,
market, materi material, matrix, max, maxim maximal, maximum, may, mayb maybe, me, mean meaning means, meanwhil
meanwhile, measur measure measurement, mechan mechanism, meet, member, membership, mend, mention, messag message,
method, methodolog methodology, metric, mexican, mexico, mid, middl middle, might, migrat migration, mild, mileston
milestone, million, min, minim minimal minimize, minimum, minor minority, minut minutes, misappropri misappropriate
misappropriated, miscellan miscellaneous, mishap, miss missing, mistak mistake, mistaken mistakenly, model, modifi
modify, molest molested, monday, money, month monthly, more, morn morning, most, motiv motivation motive, mount, mous
mouse, move moving, msg, much, murder murdered murderer, must, mutabl mutable, my, myth, name naming, narrow narrower,
near, nearest, necessari necessary, need needed needs, negat negative, neglig negligible, neither, nestl nestling,
netherland netherlands, never, new, newer, next, night, nil, nine, nineti ninety, no, nobodi nobody, none, -nonsens
nonsense, nor, north, northern, norway, norwegian, not, notabl notable, note notes, noth nothing, notic notice,
notion, novemb november, now, nowaday nowadays, num, number, numer numeral, nutrit nutrition, obj, object objection
objective, obligatori obligatory, observ observation observe, obsolet obsolete obsoleted, obtain, occur, occurr
occurrence, octob october, odd odds, of, off, offici official, offspr offspring, often, old, older, omiss omission,
omit, on, onc once, one ones, -onli only, open opened, oper operation operative, -oppos oppose, opposit opposite,
option optional, or, order, -organis organisation, organiz organization, origin original, other, -otherwis otherwise,
ought, our, ourselv ourselves, out, outbound, outcom outcome, outdat outdated, outdoor outdoors, outer, outgo
outgoing, outlet, outlin outline, outlook, output, outsid outside, outward outwards, over, overview, overwrit
overwrite, own, owner, ownership, packag package, page, paper, param, paramet parameter, parent parents, part,
particip participant, pass passed, past, pay, pend pending, peopl people, per, percent, perform performance, perhap
perhaps, period, perish, perman permanent, permit, perpetu perpetual, person, perspect perspective, phase, photo,
physician, pick, pictur picture, pilfer pilfered, pkg, place, plagiar plagiarize plagiarized, plaintiff, plan
planning, platform, point, poison poisoned, poland, polici policy, polish, poor, portug portugal, -portugues
portuguese, posit position positive, possess possession, possibl possible possibly, post, postpon postpone postponed,
practic practice, -prais praise, precaut precaution, -preced preceding, prefer preferred, preliminari preliminary,
prepar preparation, prerequisit prerequisite, present, preserv preserve, prevent, previous previously, price, principl
principle, prior, prison, privat private, probabl probably, problem, procedur procedure, process, product production,
profit, program, prohibit prohibited, project, prolong, pronounc pronounced, proof, properti property, -propos
proposal propose, proprietari proprietary, proprietor, pros, protect, protocol, provid provide, -provis provision,
-provision provisional provisionally, public, publish published publisher, pull, pupil, -purchas purchase, -purpos
purpose, push, put, qualiti quality, quantiti quantity, quarter, question, quick, quicker, quiet, quieter, quot quote,
-rais raise, rang range, rank, rape raped, rapid, rare rarely, rate, rather, ratifi ratified, -rational rationale,
raw, read reading, realli really, reason reasons, recal recalled, receiv receive receiver, recent, recept reception,
recipi recipient, recommend recommendation recommended, record, reduc reduce, redund redundant, ref, refer reference,
refus refusal refuse refused, refut refute, region, regist register, regul regulation, reject rejected, relat relate
related relation relative, relationship, -releas release released, relev relevance, reluct reluctant, remain, remark,
remot remote, remov remove removed, repair, repeal repealed, repeat, replac replace replaced replacement, repli reply,
repo, report reportedly reporting, repositori repository, request, requir require required requirement, rescind
rescinded, research, resid reside, resist, resolut resolution, resolv resolve, resourc resource, respond, -respons
response responsibility, restrict restriction, result, retain, retract retracted, return, reveal, review reviewer,
-revis revision, revok revoked, rid, ride, right, rise, risk, road, rob robbed robs, robber, robberi robbery, role,
rough roughly, rougher, ruin, rule, rumor, rumour, run running, rural, russia, russian, s, sabotag sabotage sabotaged,
safe, safeti safety, salari salary, sale, same, satisfi satisfy, saturday, save, say says, scale, scam scammed,
schedul schedule, scope, scot scots, scotland, scottish, scrap, seal sealed, season, second, secret, secretari
secretary, section, secur secure security, see, seek, seem, seldom, select selection, sell selling, seller, semant
semantics, send, sender, senior, -sens sense, sentenc sentenced, separ separate, septemb september, sequenc sequence,
servic service, set setting, setup, seven, seventi seventy, sever severe, shake, shall, shallow, shape, share shared,
she, shelv shelve, ship shipped, short, shortag shortage, shorten, shorter, should, show, shrink, shrinkag shrinkage,
shut, shutdown, sick, side, sign, -signific significance, similar similarity, simpl simple, simpler, sinc since, sink,
situat situation, six, sixti sixty, size, skip, slay, slow, slower, small, smaller, smooth, smoother, smuggl smuggle
smuggled smuggling, so, soften, softwar software, sole, solid, some, someth something, sometim sometimes, sooner,
sort, sourc source, south, southern, spain, spanish, spare spared, speak, spec, speci species, special, specif
specification, specifi specified, specul speculate speculative, speed, spend, split, sponsor, spread, spring, stab
stabbed, stabl stable, stage, stand, standard, start starting, startup, state, static, statist statistics, status,
stay, stdlib, steal steals, step, stick, still, stop, storag storage, store storing, stori story, str, straight,
strand, strategi strategy, street, strength, strengthen, strict, stricter, strike, string, strip, strong, stronger,
struck, structur structure, student, studi study, style, subclass, subject, subsequ subsequent, substitut substitute,
succeed, success, successor, such, suffici sufficient, suggest, summar summarize, summari summary, summer, sunday,
superclass, superflu superfluous, -supersed supersede superseded, suppli supply, support supported, -suppos supposed
supposedly, suppress, surplus, surround surroundings, surviv survive, suspect, suspend suspended, swear, sweden,
swedish, swift, swindl swindle swindled, swiss, switzerland, symptom, sync, synchron synchronization, syntax, system,
t, tabl table, take takes, tall, taller, target, task, teach teaching, team, techniqu technique, technolog technology,
tell tells, temp, temporari temporary, ten, tenant, tentat tentative, term, terminolog terminology, test testing,
text, than, that, the, theft, their theirs, them, theme, themselv themselves, then, theori theory, there, therefor
therefore, these, thesi thesis, they, thick, thicker, thief, thiev thieves, thin, thing things, think, thinner, third,
thirti thirty, this, those, though, thousand, three, through, throughout, throw, thursday, thus, tight, tighten, till,
time timing, timelin timeline, tini tiny, tip, titl title, to, today, togeth together, too, tool, top, topic, total,
toward towards, town, trace, tradit tradition, traffic, traffick trafficked trafficking, train training, transcript,
transit transition, translat translator, transmit, transport, treat, treatment, trend, tri tried try, troubleshoot
troubleshooting, true, tuesday, turkey, turkish, turn, twelv twelve, twenti twenty, twice, two, type, typic typical,
uk, unabl unable, unanim unanimous, unavail unavailable, uncertain, unchang unchanged, unclear, uncommon, unconfirm
unconfirmed, undefin undefined, under, understand, unequ unequal, -uniniti uninitialized, uniqu unique, unit, unknown,
unlaw unlawful, unless, unlik unlike unlikely, unlimit unlimited, unlock, unmount, unnecessari unnecessary, unoffici
unofficial, unproven, unsaf unsafe, unsupport unsupported, unsur unsure, until, untru untrue, unus unused, unverifi
unverified, unwil unwilling, up, updat update, upgrad upgrade, upheld, uphil uphill, upon, -uppercas uppercase,
upstream, upwind, urban, us, usa, usag usage, use used uses using, user, usual usually, vacant, valid validation, valu
value, vandal vandalize vandalized, vanish, var, variabl variable, variant, variat variation, varieti variety, veloc
velocity, veri very, version, vertic vertical, vessel, veto vetoed, via, victori victory, view, violat violate,
voluntari voluntary, vs, wage, waiv waive waived, wale wales, want wants, warm, warn warning, was, way ways, we, weak
weakness, weaken, weaker, wear, wednesday, week weekly, weekend, weigh weighing, weight, welsh, were, west, western,
wet, what, when, where, wherea whereas, whether, whi why, which, while, who, whom, whose, wide widely, wiki, will,
win, winner, winter, wish, with, withdrawn, within, without, woman, wood, work works, workflow, -wors worse, worsen,
worst, would, write writing, writer, wrong wrongly, year yearly, yet, yield, you, your, yourself, zero
"""
