"""Which language a text is written in, by its script and its commonest words, and what is known of that language."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

import snowballstemmer

from curator.models.extractive.parsing.lexicon import words_of
from curator.wiki.pages.names import SPACELESS

_SAMPLE = 20_000
"""Characters of a text that are looked at."""
_LEAST = 0.08
"""Of its words, how many are among the commonest of its language at least."""
_KANA = re.compile(r"[\u3041-\u30ff]")
_COMMON = {
    "en": "the of and to is in that for with are be as by it on this from",
    "de": "der die das und ist ein eine nicht mit den dem des im von auf für sich wird sind auch bei zu",
    "fr": "le la les des du une est et dans que qui pour par sur avec pas au aux ce sont il",
    "es": "el los las una del y es en que por para con no se al como su son lo más",
}
_TERM = r"(?P<term>[^\W\d_][\w.'’+-]*(?: [^\W_][\w.'’+-]*){0,3}?)"
_APOSITION = r"(?: ?\([^()]{1,80}\))?"
_HAN = r"[\u3400-\u9fffA-Za-z0-9·-]"
_KANJI = r"[\u3400-\u9fff\u30a0-\u30ff々A-Za-z0-9・ー-]"


@dataclass(frozen=True)
class Language:
    """What is known of a language."""

    code: str
    defines: tuple[str, ...]
    """How a sentence begins that says what ``term`` is; matched at its beginning."""
    leaning: frozenset[str]
    """Words that, where a sentence begins with them, make it lean on the one before."""
    determiners: frozenset[str] = frozenset()
    subjectless: str = ""
    """How a sentence begins that leaves out its subject."""

    @property
    def spaced(self) -> bool:
        return self.code not in ("zh", "ja")

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(pattern) for pattern in self.defines)

    @cached_property
    def stop(self) -> frozenset[str]:
        """The words that carry no meaning. Read from a file: ask before files are out of reach."""
        from stopwordsiso import stopwords  # 60 ms, for sources in other languages only

        return frozenset(stopwords(self.code))

    def leans(self, plain: str) -> bool:
        """True when ``plain`` begins with a word that points to what stands before it."""
        if not self.spaced:
            return plain.lstrip("「『“《（").startswith(tuple(self.leaning))
        if self.subjectless and re.match(self.subjectless, plain):
            return True
        first = re.match(r"\W*([\w]+)", plain)
        return first is not None and first[1].casefold() in self.leaning

    def folded(self, word: str) -> str:
        """What the forms of ``word`` share."""
        if not self.spaced or not word.isalpha():
            return word.casefold()
        return _stem(self.code, word.casefold())


@lru_cache(maxsize=8_192)
def _stem(code: str, word: str) -> str:
    name = {"de": "german", "fr": "french", "es": "spanish"}[code]
    return str(snowballstemmer.stemmer(name).stemWord(word))


LANGUAGES = {
    language.code: language
    for language in (
        Language(
            "de",
            (
                rf"(?:(?:Ein|Eine|Der|Die|Das|Jede|Jeder|Jedes) )?{_TERM}{_APOSITION} (?:ist|sind|war|waren) "
                r"(?:ein|eine|einer|eines|der|die|das|jene|jener|jenes|eine[nm])\b",
                rf"(?:(?:Ein|Eine|Der|Die|Das) )?{_TERM}{_APOSITION} (?:bezeichnet|bedeutet|besteht aus|dient)\b",
                rf"Unter (?:einer |einem |der |dem )?{_TERM}{_APOSITION} versteht man\b",
                rf"Als {_TERM}{_APOSITION} bezeichnet man\b",
            ),
            words_of(
                "dies diese dieser dieses diesem diesen er sie es ihr sein seine außerdem jedoch dabei daher "
                "dadurch damit dort hier deshalb deswegen trotzdem allerdings ebenso auch dann danach davor zudem ferner "
                "beide jene solche wir ich man sonst denn aber oder und so somit folglich dazu darin darauf "
                "hierbei hierzu dafür davon daraus dagegen hingegen darüber darunter"
            ),
            words_of("der die das ein eine jede jeder jedes alle"),
        ),
        Language(
            "fr",
            (
                rf"(?:(?:Une?|Le|La|Les|Chaque) |L['’])?{_TERM}{_APOSITION} (?:est|sont|était|étaient|fut) "
                r"(?:(?:une?|le|la|les|des|celui|celle)\b|l['’])",
                rf"(?:(?:Une?|Le|La|Les) |L['’])?{_TERM}{_APOSITION} (?:désigne|consiste|signifie|se compose)\b",
                rf"On appelle {_TERM}{_APOSITION}(?= (?:une?|le|la|les|l['’]|ce|des))",
            ),
            words_of(
                "ce cet cette ces ceci cela celui celle ceux il elle ils elles on nous je son sa ses leur leurs cependant "
                "toutefois ainsi donc alors ensuite puis enfin mais ou et or car aussi également sinon pourtant y en là "
                "ici pourquoi"
            ),
            words_of("le la les l un une chaque des"),
        ),
        Language(
            "es",
            (
                rf"(?:(?:Un|Una|El|La|Los|Las|Cada) )?{_TERM}{_APOSITION} (?:es|son|era|eran|fue) "
                r"(?:un|una|unos|unas|el|la|los|las|aquel|aquella)\b",
                rf"(?:(?:Un|Una|El|La|Los|Las) )?{_TERM}{_APOSITION} (?:consiste|significa|designa|se compone)\b",
                rf"Se (?:llama|denomina) {_TERM}{_APOSITION}(?= (?:a|al|el|la|los|las)\b)",
            ),
            words_of(
                "es son era fue tiene este esta estos estas esto ese esa esos esas eso aquello él ella ellos ellas ello "
                "su sus además así entonces luego después pero o y también tampoco aunque allí aquí ambos ambas nosotros yo"
            ),
            words_of("el la los las un una cada"),
            subjectless=r"(?:Se \w+(?:ó|aron|ieron|aba|aban|ía|ían)|\w{2,}(?:ó|aron|ieron|aban)) ",
        ),
        Language(
            "zh",
            (
                rf"(?P<term>{_HAN}{{2,12}}?)(?:（[^（）]{{1,40}}）)?(?:，[^，。]{{1,20}}，)?(?:就是|是指|指的是|是|为)"
                r"(?=一[种个座门类项条套台位]|由|用|指|[^。]{2,80}(?:的|之))",
                rf"所谓(?P<term>{_HAN}{{2,12}}?)(?:（[^（）]{{1,40}}）)?，?(?:就是|是指|指的是|是)",
            ),
            words_of(
                "这 那 它 他 她 我 你 此 该 其 但 因此 所以 然而 而且 并且 同时 另外 此外 例如 "
                "比如 如果 于是 不过 也 还 又 则 以上 上述"
            ),
        ),
        Language(
            "ja",
            (
                r"(?P<term>[^\s、。は「」『』（）]{2,20})(?:（[^（）]{1,40}）)?とは、?(?=[^。]{2,150}。?$)",
                rf"(?P<term>{_KANJI}(?:{_KANJI}|の(?={_KANJI})){{1,18}}?)(?:（[^（）]{{1,40}}）)?は、?"
                r"(?=[^。]{2,150}(?:である|です|だ|をいう|を指す|のこと|の一つ|という|であった|でした)。?$)",
            ),
            words_of(
                "これ それ あれ この その あの ここ そこ しかし また そして さらに なお ただし そのため したがって "
                "つまり 例えば たとえば 一方 彼 彼女 私 我々 同"
            ),
        ),
    )
}


def language_of(text: str) -> str:
    """``en``, the code of one of ``LANGUAGES``, or nothing where no other is sure."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample)) or 1
    spaceless = len(SPACELESS.findall(sample))
    if spaceless > 0.3 * letters:
        return "ja" if len(_KANA.findall(sample)) > 0.1 * spaceless else "zh"
    words = Counter(re.findall(r"[^\W\d_]+", sample.casefold()))
    shares = {code: sum(words[word] for word in common.split()) for code, common in _COMMON.items()}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= _LEAST * max(words.total(), 1) else ""
