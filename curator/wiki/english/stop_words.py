"""Small words that carry no content of their own, and what of a question carries some; loaded without any stems."""

from __future__ import annotations

import re

STOP = frozenset(
    "a an the this that these those which who whom whose what such same own it its they them their theirs he him his she "
    "her we us our you your i me my one ones be is are was were been being am do does did done doing have has had having "
    "will would shall should can could may might must of in on at by for with about against between into through during "
    "to from up down out off over under again further then once here there when where why how and or but nor so than too "
    "very also just as if while because since until although though whether however therefore thus hence both either "
    "each any all some no not only more most much many few less least other another even still yet already e.g i.e etc eg "
    "ie vs via per let us s t upon within without before after above below like unlike instead rather whereas either "
    "neither every never always often sometimes usually it's that's there's nothing something anything everything itself "
    "themselves himself herself ourselves yourself besides including despite toward towards along amid percent".split()
)
"""Words that carry no content of their own."""
_ASKING = frozenset(
    "who what which when where why how whose whom does did do please tell list name explain describe".split()
)
"""What only asks."""
FRAMING = frozenset(
    "differ differs differently different difference compare compared comparison contrast change changed happen happens "
    "happened become becomes became come comes came go goes went get gets got take takes took make makes made give gives "
    "given bring brought put let need needs use uses used work works say says said tell tells told know known mean means "
    "meant call called want wants keep kept allow allowed relate related follow follows decide decided choose chosen hold "
    "holds stand find found show shown see seen try tried leave left way ways kind sort form part thing things people "
    "anybody nobody everybody else anyway today now nowadays currently later earlier first last second two three old new "
    "newer exactly actually really meanwhile possible beyond field reason reasons fine altogether".split()
)
"""What puts a question into words more than it says what is asked for: "How do A and B differ?"."""
WORD = re.compile(r"[^\W_]+")


_ASKING_UNSPACED = re.compile(
    r"什么时候|什麼時候|为什么|為什麼|什么|什麼|何时|何時|哪[里裡个個些年]|谁|誰|多少|怎么|怎麼|如何|是否|[吗嗎呢](?=\s*(?:[。？！?!]|\Z))"
    r"|何年に?|(?<![ぁ-ん])(?:いつ(?!も)|どこ|だれ|なぜ|どうして|どうやって)|(?:です|でした|ました|ます)か(?!ら)"
)
"""What only asks in Chinese and Japanese, whose words no space parts: nothing of it is in an answer."""


def without_asking(question: str) -> str:
    """``question`` without what only asks in Chinese and Japanese; as it is in any other language."""
    return question if question.isascii() else _ASKING_UNSPACED.sub(" ", question)


def telling_words(text: str, only: bool = False) -> list[str]:
    """The words of a question that carry meaning, in their order; all of them where none does, unless ``only`` these."""
    words = WORD.findall(without_asking(text)) or WORD.findall(text)
    found = [word for word in words if word.lower() not in STOP and word.lower() not in _ASKING]
    return found if found or only else words
