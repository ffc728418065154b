// The proof that this browser makes itself: it fetches the sources, hashes them, and looks for each quote.
import { find, fold } from "./fold.js";

const HASHES = { sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const path = (name) => name.split("/").map(encodeURIComponent).join("/");

/** One source as it lies there now: `state` same, changed, gone or unhashed, and its text by lines. */
export async function readSource(wiki, name, known) {
  const answer = await fetch(`/${wiki}/raw/${path(name)}`, { cache: "no-store" });
  if (!answer.ok) return { state: "gone", lines: [], unit: "line" };
  const bytes = await answer.arrayBuffer();
  const algorithm = HASHES[known.algorithm];
  const digest = algorithm ? hex(await crypto.subtle.digest(algorithm, bytes)) : "";
  const state = !algorithm || !known.digest ? "unhashed" : digest === known.digest ? "same" : "changed";
  if (known.is_text) {
    const text = new TextDecoder("utf-8").decode(bytes).replace(/\r\n?/g, "\n");
    return { state, digest, unit: "line", by: "browser", lines: text.split("\n").map((line, n) => [n + 1, line]) };
  }
  const read = await (await fetch(`/${wiki}/text/${path(name)}`)).json();
  return { state, digest, unit: read.unit, by: "reader", lines: read.lines, error: read.error };
}

/** Where the words of a citation stand in a source that was read: offsets in its text; null where they do not. */
export function place(cited, source) {
  source.text ??= source.lines.map(([, line]) => line).join("\n");
  source.folded ??= fold(source.text);
  return find(cited.quote, source.text, source.folded);
}

/** What the browser found of each claim of `proof`, in their order: held, changed, gone, lost or uncited. */
export async function prove(wiki, proof, each) {
  const sources = new Map();
  for (const [name, known] of Object.entries(proof.sources)) sources.set(name, await readSource(wiki, name, known));
  for (const claim of proof.claims) {
    const seen = claim.cited.map((cited) => {
      const source = sources.get(cited.path);
      if (!source || source.state === "gone") return "gone";
      return place(cited, source) ? (source.state === "changed" ? "changed" : "held") : "lost";
    });
    const worst = ["held", "changed", "lost", "gone"].find((state) => seen.includes(state)) ?? "uncited";
    each(claim, worst, seen);
    await new Promise((resume) => setTimeout(resume));
  }
  return sources;
}
