// The words of a claim that its quotes cover, lit on both sides; those that nothing covers, underlined.

const WORDS = /([\p{L}\p{N}][\p{L}\p{N}'’.,:-]*[\p{L}\p{N}]|[\p{L}\p{N}])/u;

/** Lights the words of a claim that are covered, and underlines those that nothing near its quotes covers. */
export function lightClaim(spans, claim) {
  for (const span of spans) {
    if (span.dataset.marked) continue;
    span.dataset.marked = "yes";
    lightWords(span, claim.covered, claim.uncovered);
  }
}

/** Wraps each word below `into` that is one of `covered`, or one of `uncovered`; a word of parts is lit by its parts. */
export function lightWords(into, covered, uncovered = []) {
  const kinds = new Map();
  for (const word of uncovered) kinds.set(word.toLowerCase(), ["u", "uncovered"]);
  for (const word of covered) kinds.set(word.toLowerCase(), ["b", "covered"]);
  const walker = document.createTreeWalker(into, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement.closest("button")) continue;
    const pieces = piecesOf(text.data, kinds);
    if (pieces.some((piece) => kinds.has(piece.toLowerCase()))) text.replaceWith(...pieces.map((piece) => wrapped(piece, kinds)));
  }
}

/** Where in `text` the words stand that are one of `covered`: from and to. */
export function coveredSpans(text, covered) {
  const kinds = new Set(covered.map((word) => word.toLowerCase())), found = [];
  let at = 0;
  for (const piece of piecesOf(text, kinds)) {
    if (kinds.has(piece.toLowerCase())) found.push([at, at + piece.length]);
    at += piece.length;
  }
  return found;
}

function piecesOf(text, kinds) {
  return text.split(WORDS).flatMap((piece) => (kinds.has(piece.toLowerCase()) ? [piece] : piece.split(/([\p{L}\p{N}]+(?:['’]\p{L}+)*)/u)));
}

function wrapped(piece, kinds) {
  const kind = kinds.get(piece.toLowerCase());
  if (!kind) return piece;
  const made = document.createElement(kind[0]);
  made.className = kind[1];
  made.textContent = piece;
  return made;
}
