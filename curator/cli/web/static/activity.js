// What goes on: the queue and the commits as they land, and files and addresses that are taken in.
import { all, element, one } from "./panel.js";

const { root } = document.body.dataset;

// -- told as it happens, while somebody looks -------------------------------------------------------------------------

let told;
const waiting = new Map();

function listen() {
  told?.close();
  told = undefined;
  if (document.hidden) return;
  told = new EventSource(`${root}/activity/events`);
  for (const name of ["queue", "events"]) {
    told.addEventListener(name, (event) => { waiting.set(name, JSON.parse(event.data)); lay(); });
  }
}

/** Shows what came; a part in which somebody has the focus waits until it is left. */
function lay() {
  for (const [name, html] of waiting) {
    const part = one(`#${name}`);
    if (part.contains(document.activeElement)) continue;
    waiting.delete(name);
    const known = new Set(all("[data-commit]", part).map((each) => each.dataset.commit));
    const open = new Set(all("[data-commit]:has(details[open])", part).map((each) => each.dataset.commit));
    part.innerHTML = html;
    for (const each of all("[data-commit]", part)) {
      if (open.has(each.dataset.commit)) one("details", each).open = true;
      each.classList.toggle("new", !known.has(each.dataset.commit));
    }
  }
}
document.addEventListener("visibilitychange", listen);
document.addEventListener("focusout", () => setTimeout(lay));
addEventListener("pagehide", () => told?.close());
addEventListener("pageshow", listen);

// -- files and addresses ----------------------------------------------------------------------------------------------

const drop = one("#drop"), said = drop && one("[role=status]", drop);
async function take(parts) {
  said.replaceChildren();
  for (const [field, value, name] of parts) {
    const begun = element("span", `${name} …`);
    said.append(begun);
    const form = new FormData();
    form.append(field, value);
    const answer = await fetch(drop.action, { method: "POST", body: form, headers: { accept: "application/json" } })
      .then((response) => response.json()).catch(() => ({ message: `${name}: the server gave no answer; see where curate open runs` }));
    const lines = answer.lines ?? [answer.message, answer.hint];
    begun.replaceWith(...lines.filter(Boolean).map((line) => element("span", line, answer.ok ? "" : "finding")));
  }
  drop.reset();
}
const ofFiles = (files) => [...files].map((file) => ["file", file, file.name]);
drop?.addEventListener("submit", (event) => {
  event.preventDefault();
  const address = drop.address.value.trim();
  take([...ofFiles(drop.file.files), ...(address ? [["address", address, address]] : [])]);
});
drop?.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop?.addEventListener("dragleave", () => drop.classList.remove("over"));
drop?.addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); take(ofFiles(event.dataTransfer.files)); });
