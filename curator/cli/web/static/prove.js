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
  if (pdf) return { state, unit: "page", by: "browser", pdf, lines: [] };
  const read = await (await fetch(`${root}/text/${path(name)}.json`)).json();
  return { state, unit: read.unit, by: "curate", lines: read.lines, error: read.error };
}

/** The first and the last number that an anchor names: of `L12-L15` 12 and 15. */
export function numbers(anchor) {
  const found = (anchor.match(/\d+/g) ?? [1]).map(Number);
  return [found[0], found.at(-1)];
}

/** Where the words of a citation stand in what its anchor names: `{start, end}` in the text of all lines, or `{pages}` of a PDF. */
export async function place(cited, source) {
  const [first, last] = numbers(cited.anchor);
  if (source.pdf) return findInPdf(source.pdf, first, last, cited.quote);
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

/** What the browser found of each claim of `proof`, told to `each` in their order: held, changed, lost, gone or uncited. */
export async function prove(root, proof, each) {
  const sources = new Map();
  for (const [name, known] of Object.entries(proof.sources)) sources.set(name, await readSource(root, name, known));
  for (const claim of proof.claims) {
    const seen = [];
    for (const cited of claim.cited) {
      const source = sources.get(cited.path);
      const found = source && source.state !== "gone" ? await place(cited, source) : null;
      seen.push(!source || source.state === "gone" ? "gone" : !found ? "lost" : source.state === "changed" ? "changed" : "held");
    }
    each(claim, ["held", "changed", "lost", "gone"].find((state) => seen.includes(state)) ?? "uncited");
    await new Promise((resume) => setTimeout(resume));
  }
  return sources;
}
