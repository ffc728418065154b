// The source beside a claim: what code says of it, and the passage that it cites, lit in what stands around it.
import { paint } from "./pdf.js";
import { place, readSource } from "./prove.js";
import { lightClaim, lightWords } from "./covered.js";

export const one = (query, from = document) => from.querySelector(query);
export const all = (query, from = document) => [...from.querySelectorAll(query)];
export const STATES = {
  held: "words found", changed: "the file is another than the one that was read", lost: "the words are not there",
  gone: "the source is not there", uncited: "cites no source",
};
const VERDICTS = {
  supported: "Code finds nothing against it in these words.",
  foreign: "Not in English: judged by its numbers and names only.",
  doubted: "Not borne out by these words alone.", unproven: "None of the words that it cites was found.",
  uncited: "It cites no source.",
};

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Claims are as in `proof/SLUG.json`, sources by their paths as there; `sources` are those that were read. */
export class SourcePanel {
  constructor(root, reading) {
    Object.assign(this, { root, reading, panel: one("#source", reading), sources: new Map(), turn: 0 });
    one(".close", this.panel).addEventListener("click", () => this.close());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  close() {
    this.panel.hidden = true;
    this.reading.classList.remove("open");
    this.unmark();
  }

  unmark() {
    all(".claim.shown").forEach((span) => span.classList.remove("shown"));
  }

  async show(claim, spans, about, note = 0) {
    const turn = ++this.turn, cited = claim.cited[note], known = cited && about[cited.path];
    this.unmark();
    spans.forEach((span) => span.classList.add("shown"));
    lightClaim(spans, claim);
    this.panel.hidden = false;
    this.reading.classList.add("open");
    one("h2", this.panel).textContent = cited ? known.title || cited.path.replace(/^sources\//, "") : "No source";
    const passage = one(".passage", this.panel);
    one(".verdict", this.panel).replaceChildren(...verdictOf(claim, cited, known, note, (at) => this.show(claim, spans, about, at)));
    if (cited && !document.body.dataset.end) one(".verdict", this.panel).append(this.lieAbout(claim, cited));
    passage.replaceChildren();
    if (!cited) return;
    const source = await this.sourceOf(cited.path, known);
    if (this.turn === turn) await lay(passage, source, cited);
    for (const lit of all("mark", passage)) lightWords(lit, claim.covering);
  }

  /** Leads to where another claim may be tried on the same words. */
  lieAbout(claim, cited) {
    const link = element("a", "Try to lie about this", "quiet"), page = one("article h1", this.reading)?.textContent ?? "";
    link.href = `${this.root}/lie?${new URLSearchParams({ source: cited.path, quote: cited.quote, claim: claim.text, page })}`;
    return link;
  }

  async sourceOf(path, known) {
    if (!this.sources.has(path)) this.sources.set(path, await readSource(this.root, path, known));
    return this.sources.get(path);
  }
}

function verdictOf(claim, cited, known, note, turnTo) {
  const parts = [element("p", VERDICTS[claim.state], `state ${claim.state}`)];
  for (const finding of claim.findings) parts.push(element("p", `${finding.message}`, "finding"));
  if (claim.cited.length > 1) {
    const tabs = element("p", undefined, "tabs");
    claim.cited.forEach((each, at) => {
      const tab = element("button", `${at + 1}`);
      tab.setAttribute("aria-pressed", at === note);
      tab.addEventListener("click", () => turnTo(at));
      tabs.append(tab);
    });
    parts.push(tabs);
  }
  if (cited) {
    const about = [cited.path, cited.anchor, known.date].filter(Boolean).join(" · ");
    parts.push(element("p", about, "quiet"));
    if (cited.fault) parts.push(element("p", cited.fault, "finding"));
  }
  return parts;
}

/** Shows the passage that is cited, lit, in what the source says around it. */
async function lay(into, source, cited) {
  const found = await place(cited, source);
  if (source.error) into.append(element("p", source.error, "finding"));
  if (!found) into.append(element("p", `${STATES.lost}: “${cited.quote}”`, "finding"));
  if (source.pdf) {
    for (const page of found?.pages ?? []) await paint(into, page);
    return;
  }
  let offset = 0;
  for (const [number, line] of source.lines) {
    const row = element("div", undefined, "line");
    row.append(element("span", source.unit === "second" ? time(number) : `${number}`, "number"));
    const words = element("span", undefined, "words");
    const from = found ? Math.max(found.start - offset, 0) : 0, to = found ? Math.min(found.end - offset, line.length) : 0;
    if (from < to) words.append(line.slice(0, from), element("mark", line.slice(from, to)), line.slice(to));
    else words.append(line);
    row.append(words);
    into.append(row);
    offset += line.length + 1;
  }
  one("mark", into)?.scrollIntoView({ block: "center" });
}

function time(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return parts.slice(parts[0] ? 0 : 1).map((part) => `${part}`.padStart(2, "0")).join(":");
}
