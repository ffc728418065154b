// Trying to lie: the source beside the form, from which words are taken, and the verdict as one types.
import { find } from "./fold.js";
import { layLines, showInside } from "./lines.js";
import { all, element, one } from "./panel.js";

const { root } = document.body.dataset;
const form = one("#lie"), verdict = one("#verdict"), panel = one("#source"), passage = one(".passage", panel);

let turn = 0, waiting;
async function judge() {
  const now = ++turn, query = new URLSearchParams(new FormData(form));
  const isWhole = form.claim.value.trim() && form.quote.value.trim();
  const html = isWhole ? await (await fetch(`${root}/lie?${query}`, { headers: { "X-Requested-With": "curate" } })).text() : "";
  if (now !== turn) return;
  verdict.innerHTML = html;
  history.replaceState(null, "", `?${query}`);
}
form.addEventListener("input", (event) => {
  clearTimeout(waiting);
  if (event.target === form.source) show();
  waiting = setTimeout(judge, 250);
});
form.addEventListener("submit", (event) => { event.preventDefault(); judge(); });

// -- the source, to take words from ---------------------------------------------------------------------------------------

async function show() {
  const path = form.source.value;
  if (!path) return;
  const address = path.split("/").map(encodeURIComponent).join("/");
  const read = await (await fetch(`${root}/text/${address}.json`)).json(), { lines, error } = read;
  if (form.source.value !== path) return;
  one("h2", panel).textContent = path.replace(/^sources\//, "");
  one(".verdict", panel).replaceChildren(element("p", error || "Click a line, or mark words.", "quiet"));
  const source = { ...read, by: "curate" }, chosen = form.quote.value.trim();
  const span = chosen ? find(chosen, lines.map(([, line]) => line).join("\n")) : null;
  passage.replaceChildren();
  layLines(passage, source, span && { start: span[0], end: span[1] });
  panel.hidden = false;
  one(".lying").classList.add("open");
  light();
}

/** Lights the lines whose words are chosen. */
function light() {
  const chosen = form.quote.value.replace(/\s+/g, " ").trim();
  for (const row of all(".line", passage)) {
    const words = one(".words", row).textContent.replace(/\s+/g, " ").trim();
    row.classList.toggle("chosen", words.length > 3 && Boolean(chosen) && (chosen.includes(words) || words.includes(chosen)));
  }
  const chosenRow = one(".chosen", passage);
  if (chosenRow && !passage.matches(":hover")) showInside(chosenRow); // whoever points at a line is there already
}

passage.addEventListener("mouseup", (event) => {
  const words = `${getSelection()}`.trim() || event.target.closest(".line")?.querySelector(".words").textContent.trim();
  if (!words) return;
  form.quote.value = words.replace(/\s+/g, " ");
  if (!form.claim.value.trim()) form.claim.value = form.quote.value;
  light();
  judge();
  form.claim.focus();
});
one(".close", panel).addEventListener("click", () => { panel.hidden = true; one(".lying").classList.remove("open"); });
show();
