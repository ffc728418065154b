// Questions: an answer comes in statement by statement, each with the same click to its source as a claim of a page.
import { SourcePanel, all, element, follow, one } from "./panel.js";

const { root } = document.body.dataset;
const form = one("#ask"), turns = one("#turns"), stage = one("#stage"), follows = one("#follows");
const panel = new SourcePanel(root, one(".asking"));
one(".asking").classList.add("live"); // a click shows what is listed for who runs no script
let asking;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = form.q.value.trim();
  if (words) ask(words, !follows.hidden && form.follows.checked);
});

function ask(words, isFollowing) {
  asking?.close();
  if (!isFollowing) turns.replaceChildren();
  all(".act", turns).forEach((act) => act.remove()); // what was asked before would be another question now
  const turn = element("section", undefined, "turn"), answer = element("div", undefined, "answer"), behind = element("div", undefined, "behind");
  answer.setAttribute("aria-live", "polite");
  turn.append(element("h2", words), answer, behind);
  turns.append(turn);
  turn.firstChild.scrollIntoView({ block: "start" });
  const query = new URLSearchParams({ q: words, ...(isFollowing && { follows: "yes" }) });
  history.replaceState(null, "", `${location.pathname}#${query}`); // opened again, it comes in as it does now
  form.q.value = "";
  told("asking …");
  asking = new EventSource(`${root}/answer?${query}`);
  const over = () => { asking.close(); told(""); follows.hidden = false; };
  const on = (name, heard) => asking.addEventListener(name, (event) => heard(JSON.parse(event.data)));
  on("stage", (words) => told(words));
  on("statement", (html) => { answer.insertAdjacentHTML("beforeend", html); });
  on("over", (html) => { over(); behind.innerHTML = html; form.follows.checked = !one(".none", behind); });
  on("refused", ({ message, hint }) => { over(); behind.append(element("p", message, "finding"), element("p", hint, "quiet")); });
  asking.onerror = () => { over(); behind.append(element("p", "The answer broke off.", "finding")); };
}

function told(words) {
  stage.textContent = words;
}

const again = new URLSearchParams(location.hash.slice(1));
if (again.get("q")) ask(again.get("q"), again.has("follows"));

const proofs = new WeakMap();
function proofOf(said) {
  if (!proofs.has(said)) proofs.set(said, JSON.parse(one("script", said).textContent));
  return proofs.get(said);
}
turns.addEventListener("click", (event) => {
  const clicked = event.target.closest(".mark[data-claim], .claim"), said = event.target.closest(".said");
  if (!clicked || !said || event.target.closest("a")) return;
  const proof = proofOf(said), number = clicked.dataset.claim, claim = proof.claims[number];
  const marks = all(`.mark[data-claim="${number}"]`, said);
  const note = Math.max(0, Math.min(marks.findIndex((mark) => mark.dataset.note === clicked.dataset.note), claim.cited.length - 1));
  panel.show(claim, all(`.claim[data-claim="${number}"]`, said), proof.sources, note).then(follow);
});
