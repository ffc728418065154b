// The reading view: keys, search as typed, the source beside the claim, and the proof.
import { SourcePanel, STATES, all, broughtBy, element, follow, one, placeName } from "./panel.js";
import { PageProof } from "./proof.js";
import { prove } from "./prove.js";

const { root, end } = document.body.dataset;
const reading = one(".reading[data-slug]");

// -- theme, help, search ---------------------------------------------------------------------------------------------

function turnTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  localStorage.setItem("curate-theme", document.documentElement.dataset.theme);
}
one("#theme").addEventListener("click", turnTheme);
one("#to-help").addEventListener("click", () => one("#help").showModal());

const field = one("#search"), hits = one("#hits");
let asked = 0;
async function search() {
  const turn = ++asked, words = field.value.trim();
  if (end) { const found = await searchFiles(words); if (turn === asked) hits.replaceChildren(found); return; }
  const html = words ? await (await fetch(`${root}/search?q=${encodeURIComponent(words)}`, { headers: { "X-Requested-With": "curate" } })).text() : "";
  if (turn === asked) hits.innerHTML = html;
}

/** Pages of an exported wiki by their titles, other names and first sentences: every word has to be there. */
let listed;
async function searchFiles(words) {
  listed ??= await (await fetch(`${root}/search.json`)).json();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean), list = element("ul");
  const fits = ([, title, summary, others]) => wanted.every((word) => `${title} ${others} ${summary}`.toLowerCase().includes(word));
  const inTitle = ([, title]) => wanted.every((word) => title.toLowerCase().includes(word)) ? 0 : 1;
  const found = wanted.length ? listed.filter(fits).sort((one, other) => inTitle(one) - inTitle(other)).slice(0, 20) : [];
  for (const [slug, title, summary] of found) {
    const item = element("li"), link = element("a");
    link.href = `${root}/page/${encodeURIComponent(slug)}${end}`;
    link.append(element("strong", title), element("span", summary));
    item.append(link);
    list.append(item);
  }
  return list;
}
let waiting;
field?.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 25); });
field?.form.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const stops = [field, ...all("a", hits)], at = stops.indexOf(document.activeElement);
  stops[(at + (event.key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length].focus();
});

// -- the source beside the claim ---------------------------------------------------------------------------------------

let proof = reading && new PageProof(root, reading.dataset.slug), current = -1;
const panel = reading && new SourcePanel(root, reading);

async function show(number, note = 0) {
  const claim = await proof.claim(number);
  if (!claim) return;
  current = number;
  hideCard(); // the source says it all, and on a phone stands under it
  await panel.show(claim, all(`.claim[data-claim="${number}"]`), proof.sources, note);
}

async function noteOf(button) {
  const number = Number(button.dataset.claim), claim = await proof.claim(number);
  const same = all(`.mark[data-claim="${number}"]`).findIndex((each) => each.dataset.note === button.dataset.note);
  return Math.max(0, Math.min(same, claim.cited.length - 1));
}

reading?.addEventListener("click", async (event) => {
  const mark = event.target.closest(".mark[data-claim], .claim");
  if (!mark || event.target.closest("a")) return;
  show(Number(mark.dataset.claim), mark.matches(".mark") ? await noteOf(mark) : 0).then(follow);
});

const named = /^#claim-(\d+)$/.exec(location.hash);
if (reading && named) show(Number(named[1])).then(follow);

// -- what a mark stands for, shown beside it -----------------------------------------------------------------------------------

const card = one("#card");
let hovered;
async function describe(mark) {
  hovered = mark;
  const claim = await proof.claim(Number(mark.dataset.claim)), cited = claim?.cited[await noteOf(mark)];
  if (hovered !== mark || !cited) return;
  const known = proof.sources[cited.path], name = known.title || cited.path.replace(/^sources\//, "");
  const about = [name, placeName(cited.anchor), known.date, known.url].filter(Boolean).join(" · ");
  card.replaceChildren(element("q", cited.quote), element("p", about, "quiet"));
  if (claim.brought) card.append(element("p", broughtBy(claim), "quiet"));
  card.hidden = false;
  const place = mark.getBoundingClientRect(), width = card.offsetWidth;
  card.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`;
  card.style.top = `${place.bottom + card.offsetHeight + 12 < innerHeight ? place.bottom + 6 : place.top - card.offsetHeight - 6}px`;
  mark.setAttribute("aria-describedby", "card");
}
function hideCard() {
  hovered?.removeAttribute("aria-describedby");
  hovered = undefined;
  if (card) card.hidden = true;
}
for (const [comes, goes] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
  reading?.addEventListener(comes, (event) => event.target.matches(".mark[data-claim]") && describe(event.target));
  reading?.addEventListener(goes, hideCard);
}
addEventListener("scroll", hideCard, { passive: true });

// -- the proof ------------------------------------------------------------------------------------------------------------

let proving = 0;
async function proveAll() {
  const told = one("#proved"), button = one("#prove"), turn = ++proving;
  if (!told) return; // a page without claims
  delete told.dataset.state;
  button.setAttribute("aria-busy", "true");
  button.textContent = "Proving …";
  told.replaceChildren(element("p", "The sources are fetched …"));
  proof = new PageProof(root, reading.dataset.slug);
  await proof.part(0);
  watch();
  const counts = {};
  let read = 0;
  const found = await prove(root, proof, (claim, state, isRead) => {
    if (isRead && ["held", "found"].includes(state)) read += 1;
    if (turn !== proving) return;
    counts[state] = (counts[state] ?? 0) + 1;
    for (const span of all(`.claim[data-claim="${claim.number}"]`)) {
      span.dataset.proved = state;
      span.dataset.judged = claim.state;
    }
    for (const mark of all(`.mark[data-claim="${claim.number}"]`)) {
      mark.dataset.proved = state;
      mark.title = STATES[state];
    }
    told.firstChild.textContent = `${Object.values(counts).reduce((a, b) => a + b)} of ${proof.count} claims looked at`;
  });
  if (turn !== proving) return; // a source changed meanwhile, and all of it is looked at again
  panel.sources = found;
  button.removeAttribute("aria-busy");
  button.textContent = "Prove again";
  const order = Object.keys(STATES).reverse().filter((state) => counts[state]); // what is wrong comes first
  told.replaceChildren(...order.map((state) => foundLine(state, counts[state], ["held", "found"].includes(state) ? read : 0)), ...otherFiles(found), lookedAt());
  told.dataset.state = counts.changed || counts.lost || counts.gone ? "broken" : "held";
}

/** How many claims are in one state, behind the sign that they have on the page. */
function foundLine(state, count, read) {
  const line = element("p", undefined, "found"), sign = element("span", undefined, "sign");
  sign.dataset.proved = line.dataset.proved = state;
  line.append(sign, ` ${count} ${count === 1 ? "claim" : "claims"}: ${STATES[state]}${read ? ` (${read} as curate reads the file)` : ""}`);
  return line;
}

/** Which files are not what the wiki was made from, by name. */
function otherFiles(sources) {
  const said = { changed: "has changed since the wiki was made from it", gone: "is not there any more" };
  return [...sources].filter(([, { state }]) => said[state]).map(([name, { state }]) => element("p", `${name} ${said[state]}.`, "quiet"));
}

function lookedAt() {
  const now = new Date().toLocaleTimeString("en-GB"), again = end ? "" : "; it looks again when a source changes";
  return element("p", `Looked at by this browser at ${now}${again}. Click a claim to see whether it follows from its words.`, "quiet");
}

/** Proves again whenever a source is another, for as long as somebody looks, and when somebody looks again. */
let watching, stamp;
function watch() {
  const query = Object.keys(proof?.sources ?? {}).map((name) => `source=${encodeURIComponent(name)}`).join("&");
  if (watching || !query || end || document.hidden) return; // of files nothing is told
  watching = new EventSource(`${root}/changes?${query}`);
  watching.addEventListener("sources", ({ data }) => {
    const before = stamp;
    stamp = data;
    if (before !== undefined && before !== data) proveAll();
  });
}
function unwatch() {
  watching?.close();
  watching = undefined;
}
document.addEventListener("visibilitychange", () => { if (document.hidden) unwatch(); else if (stamp !== undefined) watch(); });
addEventListener("pagehide", unwatch);
addEventListener("pageshow", () => { if (stamp !== undefined) watch(); });
one("#prove")?.addEventListener("click", proveAll);

// -- a page's history, and what waits -----------------------------------------------------------------------------------

one("#version")?.addEventListener("change", (event) => {
  location.search = `?at=${event.target.dataset.commits.trim().split(" ")[event.target.value]}`;
});

const items = all(".item");
function stepTo(by) {
  const at = items.indexOf(document.activeElement?.closest(".item"));
  items[Math.min(Math.max(at + by, 0), items.length - 1)]?.focus();
}
/** What `key` stands for in the item that has the focus, or on a page that asks about one thing. */
function press(key) {
  const item = document.activeElement?.closest(".item");
  if (!item && items.length) { stepTo(1); return; }
  const found = one(`[data-key="${key}"]`, item ?? one("main"));
  if (found?.matches("input")) found.focus();
  else found?.click();
}

// -- keys -------------------------------------------------------------------------------------------------------------------

const KEYS = {
  "/": () => field?.focus(),
  "?": () => one("#help").showModal(),
  n: () => reading ? show(Math.min(current + 1, (proof.count ?? Infinity) - 1)).then(follow) : press("n"),
  p: () => reading && show(Math.max(current - 1, 0)).then(follow),
  v: () => reading && proveAll(),
  a: () => one("#to-ask")?.click(),
  j: () => stepTo(1),
  k: () => stepTo(-1),
  y: () => press("y"),
  g: () => one("#to-graph")?.click(),
  t: turnTheme,
};
/** From a field of an item one is back at the item, from any other one nowhere. */
function leave(field) {
  const item = field?.closest(".item");
  if (item && item !== field) item.focus();
  else field?.blur();
}
document.addEventListener("keydown", (event) => {
  if (one("dialog[open]")) return; // which closes itself
  if (event.key === "Escape") { hideCard(); hits?.replaceChildren(); leave(document.activeElement); return; }
  const typing = event.target.matches("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
