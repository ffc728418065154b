// A source as numbered lines: by line, by paragraph, by the part of a file that they stand in, or by the time they are said at.

const AROUND = 300, MORE = 2000;
const HEADER = /^(From|To|Cc|Date): /;

function made(name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Lays the lines of `source` into `into`, those from `start` to `end` of their text lit; of a long source what is near, and more on demand. */
export function layLines(into, source, span) {
  const starts = [];
  let offset = 0;
  for (const [, line] of source.lines) { starts.push(offset); offset += line.length + 1; }
  const count = source.lines.length, at = span ? Math.max(0, starts.findLastIndex((start) => start <= span.start)) : 0;
  const last = span ? Math.max(at, starts.findLastIndex((start) => start < span.end)) : 0;
  const rows = (from, to) => {
    const some = document.createDocumentFragment();
    for (let number = from; number < to; number += 1) rowOf(some, source, number, starts[number], span);
    return some;
  };
  let from = Math.max(0, at - AROUND), to = Math.min(count, last + AROUND);
  into.append(rows(from, to));
  const above = more(() => {
    const before = into.scrollHeight, now = Math.max(0, from - MORE);
    above.after(rows(now, from));
    from = now;
    into.scrollTop += into.scrollHeight - before;
    return from;
  });
  const below = more(() => {
    const now = Math.min(count, to + MORE);
    below.before(rows(to, now));
    to = now;
    return count - to;
  });
  if (from) into.prepend(above);
  if (to < count) into.append(below);
  above.textContent = `${from.toLocaleString("en")} lines above`;
  below.textContent = `${(count - to).toLocaleString("en")} lines below`;
}

/** Brings `lit` into the middle of what scrolls around it; the page itself, which is being read, stays where it is. */
export function showInside(lit) {
  const at = scrollY;
  lit?.scrollIntoView({ block: "center" });
  window.scrollTo({ top: at, behavior: "instant" });
}

function more(add) {
  const button = made("button", "more");
  button.type = "button";
  button.addEventListener("click", () => {
    const left = add(), words = button.textContent.split(" ").at(-1);
    if (left) button.textContent = `${left.toLocaleString("en")} lines ${words}`;
    else button.remove();
  });
  return button;
}

function rowOf(into, source, at, offset, span) {
  const [number, line] = source.lines[at], before = source.lines[at - 1]?.[0];
  if (source.unit === "page") {
    if (number !== before) into.append(made("p", "part", `${source.part || "Page"} ${number}`));
  }
  if (source.unit !== "line" && !line.trim()) return;
  const row = made("div", "line"), words = made("span", "words");
  if (source.unit !== "page") row.append(made("span", "number", number === before ? "" : label(source, at)));
  const syntax = source.by === "curate" ? (/^#{1,6} /.exec(line)?.[0] ?? "") : "";
  if (syntax) row.classList.add("heading");
  if (source.format === "email" && HEADER.test(line)) row.classList.add("header");
  const from = span ? Math.max(span.start - offset, 0) : 0, to = span ? Math.min(span.end - offset, line.length) : 0;
  if (from < to) words.append(line.slice(Math.min(syntax.length, from), from), made("mark", "", line.slice(from, to)), line.slice(to));
  else words.append(line.slice(syntax.length));
  row.append(words);
  into.append(row);
}

function label(source, at) {
  const [number, , last] = source.lines[at];
  if (source.unit === "second") return last > number ? `${time(number)}–${time(last)}` : time(number);
  return source.unit === "paragraph" ? `¶${number}` : `${number}`;
}

function time(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return parts.slice(parts[0] ? 0 : 1).map((part) => `${part}`.padStart(2, "0")).join(":");
}
