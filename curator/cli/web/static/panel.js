// The source beside a claim: what code says of it, and the passage that it cites, lit in what stands around it.
import { paint } from "./pdf.js";
import { place, placeIn, readSource } from "./prove.js";
import { layLines, showInside } from "./lines.js";
import { lightClaim, lightWords } from "./covered.js";

export const one = (query, from = document) => from.querySelector(query);
export const all = (query, from = document) => [...from.querySelectorAll(query)];
export const STATES = {
  held: "words found, in the file that the wiki was made from", found: "words found; whether the file is the same cannot be told", changed: "the file was changed since the wiki was made from it", lost: "the words are not there",
  gone: "the source is not there", uncited: "no source is cited",
};
const VERDICTS = {
  supported: "The words below say so, as far as code can tell.",
  foreign: "Not in English: code has compared its numbers and names alone with the words below.",
  doubted: "The words below do not say so by themselves:", unproven: "None of the words that it cites is in its source.",
  uncited: "It cites no source.",
};

const FILES = {
  same: "This browser has hashed the file: it is the one that the wiki was made from.",
  changed: "The file was changed since the wiki was made from it.",
  gone: "The file is not there.", unhashed: "This browser cannot compare the file with the one that the wiki was made from.",
};
const UNITS = { L: "line", p: "page", par: "paragraph", t: "second" };

/** Where an anchor leads, in words: `L12-L15` is "lines 12–15". */
export function placeName(anchor) {
  const unit = UNITS[/^[a-zA-Z]+/.exec(anchor)?.[0]], found = anchor.match(/\d+/g);
  if (!unit || !found) return anchor;
  const [first, last] = [found[0], found.at(-1)];
  return first === last ? `${unit} ${first}` : `${unit}s ${first}–${last}`;
}

/** What brought a claim, and who but code has read it. */
export function broughtBy(claim) {
  return [`brought by ${claim.brought}`, ...claim.read_by].join(" · ");
}

/** Brings the claim that is shown out from under the source, which on a phone stands before it. */
export function follow() {
  one(".claim.shown")?.scrollIntoView({ block: "nearest" });
}

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
    document.addEventListener("keydown", (event) => event.key === "Escape" && !one("dialog[open]") && this.close());
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
    passage.replaceChildren();
    if (!cited) return;
    const source = await this.sourceOf(cited.path, known);
    if (this.turn === turn) one(".verdict", this.panel).append(element("p", FILES[source.state], `file ${source.state}`));
    if (this.turn === turn && !document.body.dataset.end) one(".verdict", this.panel).append(this.lieAbout(claim, cited));
    if (this.turn === turn) await lay(passage, source, cited, claim.covering);
  }

  /** Leads to where another claim may be tried on the same words. */
  lieAbout(claim, cited) {
    const link = element("a", "Try to lie about this", "quiet"), page = one("article h1", this.reading)?.textContent ?? "";
    link.title = "Claim something that these words do not say, and see what the rules answer";
    link.href = `${this.root}/lie?${new URLSearchParams({ source: cited.path, quote: cited.quote, claim: claim.text, page })}`;
    return link;
  }

  async sourceOf(path, known) {
    if (!this.sources.has(path)) this.sources.set(path, await readSource(this.root, path, known));
    return this.sources.get(path);
  }
}

function verdictOf(claim, cited, known, note, turnTo) {
  const open = claim.state === "supported" ? claim.uncovered.map((word) => `“${word}”`).join(", ") : "";
  const told = open ? `Code finds nothing against it in the words below, but nothing near them says ${open}: judge that yourself.` : VERDICTS[claim.state];
  const parts = [element("p", told, `state ${claim.state}${open && " partly"}`)];
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
    const about = [cited.path, placeName(cited.anchor), known.date, known.url].filter(Boolean).join(" · ");
    parts.push(element("p", about, "quiet"));
    if (claim.brought) parts.push(element("p", broughtBy(claim), "brought quiet"));
    if (cited.fault) parts.push(element("p", cited.fault, "finding"));
  }
  return parts;
}

/** Shows the passage that is cited, lit, in what the source says around it; a PDF that cannot be painted as curate reads it. */
async function lay(into, source, cited, covering) {
  const found = await place(cited, source);
  if (!found) into.append(element("p", `${STATES.lost}: “${cited.quote}”`, "finding"));
  if (found?.pages) {
    try {
      for (const page of found.pages) await paint(into, page, covering);
      return;
    } catch {
      into.replaceChildren(); // what is painted half is not shown
    }
  }
  const read = source.pdf ? await source.asRead() : source;
  if (read.error) into.append(element("p", read.error, "finding"));
  if (read.by === "curate") into.append(element("p", `As curate reads the file${read.leftOut?.length ? `, without: ${read.leftOut.join("; ")}` : ""}.`, "as-read quiet"));
  const span = source.pdf ? (found?.read ? found : placeIn(cited, read)) : found;
  layLines(into, read, span);
  for (const lit of all("mark", into)) lightWords(lit, covering);
  showInside(one("mark", into));
}
