// In a saved proof: hashes the sources that are in the file, finds each quote in them, and takes files to compare.
const data = JSON.parse(document.getElementById("proof").textContent);
const ALGORITHMS = { sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const inHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function check(path, bytes, by) {
  const known = data.sources[path], row = document.querySelector(`[data-source="${CSS.escape(path)}"]`);
  const algorithm = ALGORITHMS[known.algorithm];
  const digest = algorithm ? inHex(await crypto.subtle.digest(algorithm, bytes)) : "";
  const same = digest !== "" && digest === known.digest;
  row.className = same ? "held" : "broken";
  row.querySelector("output").textContent = same
    ? `${by}: its ${known.algorithm} is the one in the wiki's manifest`
    : `${by}: not the bytes that the wiki was made from`;
  return same && known.is_text ? new TextDecoder("utf-8").decode(bytes) : same ? "" : null;
}

function tick(path, text, words) {
  for (const claim of data.claims) {
    claim.cited.forEach((cited, at) => {
      if (cited.path !== path) return;
      const mark = document.getElementById(`c${claim.number}-${at}`);
      const found = text === "" ? null : find(cited.quote, text);
      if (text === "") return;
      mark.className = found ? "held" : "broken";
      mark.querySelector("output").textContent = found ? words : "these words are not there";
    });
  }
}

for (const [path, known] of Object.entries(data.sources)) {
  const passages = data.passages[path] ?? {};
  data.claims.forEach((claim) => claim.cited.forEach((cited, at) => {
    if (cited.path !== path) return;
    const mark = document.getElementById(`c${claim.number}-${at}`), text = passages[cited.anchor] ?? "";
    const found = text && find(cited.quote, text);
    mark.className = found ? "kept" : "broken";
    mark.querySelector("output").textContent = found ? "found in the passage that is kept here" : "these words are not in the passage";
  }));
  if (known.bytes) check(path, bytesOf(known.bytes), "the copy in this file").then((text) => text !== null && tick(path, text, "found in the source itself"));
}

document.getElementById("files").addEventListener("change", async (event) => {
  for (const file of event.target.files) {
    const path = Object.keys(data.sources).find((each) => each.split("/").at(-1) === file.name);
    if (!path) continue;
    const text = await check(path, await file.arrayBuffer(), "your file");
    if (text !== null) tick(path, text, "found in your file");
  }
});
