// What two copies of the same words share: letters and digits, as curator/wiki/sources/folding.py has it.
// White space, hyphens, quotation marks and markup are ignored; in numbers points, commas and minus signs count.

const IGNORED = new RegExp(
  String.raw`(?<=\])\([^()\s]*\)|\[\^[^\[\]\s]+\]|\[#?\w{1,12}\]_|(?<=[\w` + "`" + String.raw`.)\]])\s?<[^<>\s` + "`" +
  String.raw`]{1,300}>(?=` + "`" + String.raw`)|:(?!(?:pep|rfc):)[A-Za-z][\w:+.\-]{0,40}:(?=` + "`" +
  String.raw`)|<\/?(?:a|abbr|b|br|cite|code|del|div|dfn|em|i|ins|kbd|mark|p|q|s|samp|small|span|strong|sub|sup|tt|u|var)` +
  String.raw`(?:\s+[\w\-]{1,30}=(?:"[^"<>]{0,300}"|'[^'<>]{0,300}'|[^\s"'<>]{1,300})){0,8}\s?\/?>` +
  "|(?<=[\\w`])\\s?<https?://[^<>\\s]*>(?=`?_)", "giu");
const LETTER = /[\p{L}\p{N}]/u;
const DIGIT = /\p{Nd}/u;
const inner = (text, at) => DIGIT.test(text[at - 1] ?? "") && DIGIT.test(text[at + 1] ?? "");
const minus = (text, at) =>
  "-−–".includes(text[at]) && DIGIT.test(text[at + 1] ?? "") && !/[\p{L}\p{N}_−–-]/u.test(text[at - 1] ?? "");

/** The folded text, and for each of its characters the offset that it came from. */
export function fold(text) {
  const out = [], offsets = [];
  let wasNumber = false, last = -2;
  const piece = (from, to) => {
    for (let at = from; at < to; ) {
      const character = String.fromCodePoint(text.codePointAt(at));
      let kept = "";
      if (LETTER.test(character)) {
        kept = [...character.normalize("NFKC").toLowerCase()].map((c) => (LETTER.test(c) ? c : c === "⁄" ? " " : "")).join("");
        const goesOn = last === at - 1 && DIGIT.test(character) && DIGIT.test(text[last] ?? "");
        if (/^\p{N}/u.test(kept) && wasNumber && !goesOn) kept = " " + kept;
        wasNumber = /\p{N}$/u.test(kept) || (kept === "" && wasNumber);
      } else if (".,".includes(character) && inner(text, at)) kept = character;
      else if (minus(text, at)) kept = "-";
      if (kept) {
        if (!LETTER.test(character)) wasNumber = false;
        for (const c of kept) { out.push(c); offsets.push(at); }
        last = at;
      }
      at += character.length;
    }
  };
  let from = 0;
  for (const found of text.matchAll(IGNORED)) { piece(from, found.index); from = found.index + found[0].length; }
  piece(from, text.length);
  return [out.join(""), offsets];
}

/** Where `quote` stands in `text`, as [start, end] in offsets of `text`; null where it does not. */
export function find(quote, text, folded = fold(text)) {
  const [wanted] = fold(quote), [haystack, offsets] = folded;
  if (!wanted) return null;
  for (let at = haystack.indexOf(wanted); at >= 0; at = haystack.indexOf(wanted, at + 1)) {
    const start = offsets[at], end = offsets[at + wanted.length - 1] + 1;
    const parts = (i) => LETTER.test(text[i - 1] ?? "") && LETTER.test(text[i] ?? "") && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(text[i]);
    if (!parts(start) && !parts(end)) return [start, end];
  }
  return null;
}
