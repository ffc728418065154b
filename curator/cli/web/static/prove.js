// The proof that this browser makes itself: it fetches the sources, hashes them, and looks for each quote.
import { find } from "./fold.js";
import { findInPdf, openPdf } from "./pdf.js";

const HASHES = { sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const path = (name) => name.split("/").map(encodeURIComponent).join("/");

/** One source as it lies there now: `state` same, changed, gone or unhashed; `by` says who read its words, browser or curate. */
export async function readSource(root, name, known) {
  const answer = await fetch(`${root}/raw/${path(name)}`, { cache: "no-store" });
  if (!answer.ok) return { state: "gone", lines: [], unit: "line", by: "browser" };
  const bytes = await answer.arrayBuffer();
  const algorithm = HASHES[known.algorithm];
  const digest = algorithm ? hex(await crypto.subtle.digest(algorithm, bytes)) : "";
  const state = !algorithm || !known.digest ? "unhashed" : digest === known.digest ? "same" : "changed";
  if (known.is_text) {
    const text = new TextDecoder("utf-8").decode(bytes).replace(/\r\n?/g, "\n");
    return { state, unit: "line", by: "browser", lines: text.split("\n").map((line, at) => [at + 1, line]) };
  }
  const pdf = known.format === "pdf" ? await openPdf(bytes) : null;
  if (!pdf) return { state, ...(await asRead(root, name, known)) };
  let read;
  return { state, unit: "page", by: "browser", pdf, lines: [], asRead: () => (read ??= asRead(root, name, known)) };
}

/** The text that curate takes out of a source. */
async function asRead(root, name, known) {
  const read = await (await fetch(`${root}/text/${path(name)}.json`)).json();
  return { unit: read.unit, part: read.part, by: "curate", lines: read.lines, error: read.error, leftOut: read.left_out, format: known.format };
}

/** The first and the last number that an anchor names: of `L12-L15` 12 and 15. */
export function numbers(anchor) {
  const found = (anchor.match(/\d+/g) ?? [1]).map(Number);
  return [found[0], found.at(-1)];
}

/** Where the words of a citation stand: `{start, end}` in the text of all lines, or `{pages}` of a PDF; where the browser finds them in no PDF, but
 * curate does, as on a page that is a picture, `{start, end, read}`. */
export async function place(cited, source) {
  if (!source.pdf) return placeIn(cited, source);
  const found = await findInPdf(source.pdf, ...numbers(cited.anchor), cited.quote).catch(() => null);
  if (found) return found;
  const read = await source.asRead(), span = placeIn(cited, read);
  return span && { ...span, read };
}

/** The same in what is read of a source as lines. */
export function placeIn(cited, source) {
  const [first, last] = numbers(cited.anchor);
  const sameUnit = { L: "line", p: "page", t: "second" }[cited.anchor.replace(/^par/, "¶")[0]] ?? "paragraph";
  let offset = 0, start = 0, text = "";
  for (const [number, line] of source.lines) {
    const within = source.unit !== sameUnit || (number >= first && number <= last);
    if (within) { if (!text) start = offset; text += line + "\n"; }
    offset += line.length + 1;
  }
  const span = find(cited.quote, text);
  return span && { start: start + span[0], end: start + span[1] };
}

/** What the browser found of each claim of `proof`, told to `each` in their order: held, found (where no digest can be compared), changed, lost,
 * gone or uncited;
 * and whether curate, not the browser, has read the words out of a file. */
export async function prove(root, proof, each) {
  const sources = new Map();
  for await (const claims of proof.all()) {
    for (const [name, known] of Object.entries(proof.sources)) {
      if (!sources.has(name)) sources.set(name, await readSource(root, name, known));
    }
    for (const claim of claims) {
      const seen = [];
      let isRead = false;
      for (const cited of claim.cited) {
        const source = sources.get(cited.path);
        const found = source && source.state !== "gone" ? await place(cited, source) : null;
        isRead ||= Boolean(found) && (source.by === "curate" || Boolean(found.read));
        seen.push(!source || source.state === "gone" ? "gone" : !found ? "lost" : { changed: "changed", unhashed: "found" }[source.state] ?? "held");
      }
      each(claim, ["held", "found", "changed", "lost", "gone"].find((state) => seen.includes(state)) ?? "uncited", isRead);
      if (claim.number % 20 === 0) await new Promise((resume) => setTimeout(resume));
    }
  }
  return sources;
}
