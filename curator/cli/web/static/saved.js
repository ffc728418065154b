// In a saved proof: hashes the sources that are in the file, finds each quote in them, and takes files to compare.
const data = JSON.parse(document.getElementById("proof").textContent);
const ALGORITHMS = { sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const inHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Compares a source with its digest: gives its text, "" where the browser reads none of it, null where it is another or nobody can tell, and
 * says so of every claim that cites another. */
async function check(path, bytes, by) {
  const known = data.sources[path], row = document.querySelector(`[data-source="${CSS.escape(path)}"]`);
  const algorithm = ALGORITHMS[known.algorithm];
  if (!algorithm || !known.digest) {
    row.querySelector("output").textContent = `${by}: this browser cannot compare it with the one that the wiki was made from`;
    return null;
  }
  const same = inHex(await crypto.subtle.digest(algorithm, bytes)) === known.digest;
  row.className = same ? "held" : "broken";
  row.querySelector("output").textContent = same
    ? `${by}: byte for byte the one that the wiki was made from`
    : `${by}: not the bytes that the wiki was made from`;
  if (!same) deny(path, by);
  return same && known.is_text ? new TextDecoder("utf-8").decode(bytes) : same ? "" : null;
}

/** Marks all that cites a source which is not the one that the wiki was made from. */
function deny(path, by) {
  for (const [claim, at] of citing(path)) {
    const mark = markOf(claim, at);
    mark.className = "broken";
    mark.querySelector("output").textContent = `${by} is not the source that the wiki was made from`;
  }
}

const citing = (path) => data.claims.flatMap((claim) => claim.cited.flatMap((cited, at) => (cited.path === path ? [[claim, at]] : [])));
const markOf = (claim, at) => document.getElementById(`c${claim.number}-${at}`);

function tick(path, text, words) {
  if (text === "") return;
  for (const [claim, at] of citing(path)) {
    const mark = markOf(claim, at), found = find(claim.cited[at].quote, text);
    mark.className = found ? "held" : "broken";
    mark.querySelector("output").textContent = found ? words : "these words are not there";
  }
}

/** What stands around the words, where they stand in it. */
function around(text, [from, to]) {
  const shown = document.createElement("details"), name = document.createElement("summary"), words = document.createElement("pre");
  const lit = document.createElement("mark");
  name.textContent = "the words around it";
  lit.textContent = text.slice(from, to);
  words.append(text.slice(0, from), lit, text.slice(to));
  shown.append(name, words);
  return shown;
}

/** Says what was found of all claims: each by the worst of its quotes. */
function tell() {
  const counts = { held: 0, kept: 0, broken: 0 };
  for (const claim of data.claims) {
    const found = claim.cited.map((_, at) => markOf(claim, at).className);
    counts[["broken", "kept", "held"].find((state) => found.includes(state)) ?? "broken"] += 1;
  }
  const told = document.getElementById("told"), all = data.claims.length;
  const words = [
    counts.held && `${counts.held} of ${all} claims: their words stand in the source that the wiki was made from`,
    counts.kept && `${counts.kept} of ${all} claims: their words stand in the passage that is kept here`,
    counts.broken && `${counts.broken} of ${all} claims: words were not found, or the source is another`,
  ];
  told.textContent = `${words.filter(Boolean).join("; ") || "It claims nothing that cites a source"}.`;
  told.className = counts.broken ? "broken" : counts.held === all ? "held" : "";
}

/** Looks for the words in the passages that the file keeps of a source. */
function keep(path) {
  for (const [claim, at] of citing(path)) {
    const cited = claim.cited[at], mark = markOf(claim, at), text = cited.passage;
    const found = text && find(cited.quote, text);
    mark.className = found ? "kept" : "broken";
    mark.querySelector("output").textContent = found ? "found in the passage that is kept here" : "these words are not in the passage";
    if (found && !mark.querySelector("details")) mark.append(around(text, found));
  }
}

/** Says of what is found in a passage alone, for a browser reads no words of such a file, that the file is the right one. */
function vouch(path, by) {
  for (const [claim, at] of citing(path)) {
    const mark = markOf(claim, at);
    if (mark.className === "kept") mark.querySelector("output").textContent += `; ${by} is byte for byte the one that the wiki was made from`;
  }
}

async function prove() {
  for (const [path, known] of Object.entries(data.sources)) {
    keep(path);
    const text = known.bytes ? await check(path, bytesOf(known.bytes), "the copy in this file") : null;
    if (text !== null) tick(path, text, "found in the source itself");
    if (text === "") vouch(path, "the copy in this file");
  }
  tell();
}

document.getElementById("files").addEventListener("change", async (event) => {
  for (const file of event.target.files) {
    const path = Object.keys(data.sources).find((each) => each.split("/").at(-1) === file.name);
    if (!path) continue;
    const text = await check(path, await file.arrayBuffer(), "your file");
    if (text === "") { keep(path); vouch(path, "your file"); }
    if (text !== null) tick(path, text, "found in your file");
  }
  tell();
});
prove();
