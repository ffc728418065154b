"""What a source tells whoever reads it to do, and what it says of the page's own standing: neither is a fact of its thing.

``orders`` speaks of orders that a claim makes up. A hostile source has its own, and a page that repeats them passes them
on to people and programs that trust it. A program called an agent may do what it does; it is the joining of a reader with
pages, answers, secrets and commands that tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.support.case import Case

_PROGRAM = r"(?:(?:ai )?agents?|assistants?|(?:large )?language models?|llms?|chatbots?|bots?|crawlers?|ais)"
_READER = rf"(?:{_PROGRAM}|readers?|editors?|maintainers?)"
_READS = (
    r"(?:reads?|sees?|summari[sz]es?|answers?|cites?|quotes?|maintains?|process(?:es)?|visits?|index(?:es)?|crawls?"
    r"|edits?|finds?|reading|summari[sz]ing|answering|quoting|citing)"
)
_DOES = (
    r"(?:sends?|forwards?|deletes?|ignores?|hides?|rates?|treats?|runs?|posts?|uploads?|reveals?|omits?|marks?|labels?"
    r"|regards?|executes?|installs?|downloads?|skips?|approves?|e?mails?|obeys?|trusts?|discloses?|submits?|enters?"
    r"|removes?|overwrites?|replac(?:es?)|recommends?|answers?|tells?|says?)"
)
_GIVES = (
    r"(?:send|sent|forward(?:ed)?|post(?:ed)?|enter(?:ed)?|shared?|submit(?:ted)?|reveal(?:ed)?|disclosed?|upload(?:ed)?"
    r"|e?mail(?:ed)?|pasted?|publish(?:ed)?|handed|typed?|confirm(?:ed)?)s?"
)
_PRIVATE = r"(?:tokens?|pass(?:words?|phrases?|codes?)|credentials?|secrets?|keys?|pins?|logins?)"
_ADDRESS = r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w)"
_DUTY = r"(?:must|shall|should|ha(?:s|ve) to|(?:is|are) (?:to|required|asked|obliged|told)|needs? to)"
_HERE = r"(?:this (?:page|wiki|article|entry|text)|the wiki|these pages|before (?:it|he|she|they) answers?)"
_THIS = r"(?:this|these|the wiki|the page|the article)"
_STANDING = (
    r"(?:checked|verified|unverified|rated|trusted|untrusted|trustworthy|outdated|reviewed|approved|correct|incorrect"
    r"|reliable|unreliable|obsolete|wrong|confirmed|authoritative|certified|proven|proved|false|true)"
)
_FORMS = tuple(
    (what, re.compile(pattern, re.IGNORECASE))
    for what, pattern in (
        ("tells readers what to do", rf"\b{_PROGRAM} (?:that|who|which) {_READS}\b.*\b{_DOES}\b"),
        ("tells readers what to do", rf"\b{_READER} (?:that|who|which) {_READS}\b.*\b{_THIS}\b.*\b{_DOES}\b"),
        ("tells readers what to do", rf"\b(?:whoever|(?:any|every)(?:one|body) who) {_READS}\b.*\b{_THIS}\b"),
        ("tells readers what to do", rf"\b{_PROGRAM}\b.*\b{_DOES}\b.*\b{_HERE}|\b{_PROGRAM}\b.*\b{_HERE}.*\b{_DOES}\b"),
        (
            "tells readers what to do",
            r"\b(?:when|if|whenever|once)(?: \w+){0,3} asked\b.*[,:]\s*(?:(?:please|always|just|simply) )?"
            r"(?:answer|say|reply|respond)(?: that\b|[:,]| [\"“]| yes\b| no\b)",
        ),
        ("tells readers what to do", rf"\bfor (?:an?|any|every|all|the) {_PROGRAM} to {_DOES}\b"),
        ("tells readers what to do", rf"\b{_READER}\b.*\b{_DUTY}\b.*\b(?:treated?|rated?|regard(?:ed)?) .*\bas\b"),
        (
            "sets rules aside",
            r"\b(?:previous|earlier|prior|other|above|existing) (?:\w+ )?(?:rules?|instructions?|prompts?|orders?|pages?"
            rf"|guidelines?|warnings?)\b.*\b{_DUTY}.*\b(?:ignored|disregarded|forgotten|deleted|skipped|overridden)\b",
        ),
        (
            "has a secret given away",
            rf"\b{_GIVES}\b.*\b{_PRIVATE}\b.*{_ADDRESS}|\b{_PRIVATE}\b.*\b{_GIVES}\b.*{_ADDRESS}",
        ),
        (
            "has a secret given away",
            rf"\A(?=.*\b(?:readers?|assistants?|language models?|users?|operators?)\b)(?=.*\b{_DUTY}\b)(?=.*\b{_PRIVATE}\b)"
            r"(?=.*\b(?:posted|published|shared?|post|publish) .*\b(?:public|channel|forum|chat|support)\b).*",
        ),
        (
            "has readers run a download",
            rf"\A(?=.*\b(?:{_READER}|whoever|everyone|everybody|anyone)\b).*\b(?:curl|wget|iwr|irm)\b[^|]*\|\s*\w*sh\b",
        ),
        ("tells how the page stands", rf"\bthis (?:page|wiki|article|entry)\b.*\b{_STANDING}\b"),
        ("tells how the page stands", rf"\b(?:all|any|every) (?:the )?other pages?\b.*\b{_STANDING}\b"),
        ("tells how the page stands", rf"\b{_STANDING} by (?-i:curator\b(?! [A-Z]))"),
    )
)
_MARKUP = ((re.compile(r"\[\[(?:[^]|]*\|)?([^]]*)\]\]"), r"\1"), (re.compile(r"[][()<>*_`\\]+"), " "))
_SENTENCE = re.compile(r"[.;!?](?:\s|\Z)|\n")


def told_to_readers(case: Case) -> Iterator[str]:
    """An order to readers and their programs, or a word on the page's own standing, be it the source's own."""
    text = case.written
    for markup, by in _MARKUP:
        text = markup.sub(by, text)
    for sentence in _SENTENCE.split(text):
        for what, pattern in _FORMS:
            if found := pattern.search(sentence):
                yield f"it {what}, which is no fact of a page's thing: {' '.join(found[0].split())[:60]!r}"
                return
