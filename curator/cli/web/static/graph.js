// The graph: pages by kind, lines by meaning, size by independent sources; what would fall without a source.
const one = (query) => document.querySelector(query);
const { root, end } = document.body.dataset;
const addressOf = (page) => `${root}/page/${encodeURIComponent(page.slug)}${end}`;
const COLOURS = { concept: "#3b7dd8", entity: "#2f9e6e", summary: "#9a8f7d", comparison: "#b0559b", timeline: "#c07a1d" };
const LINES = { link: "#9aa3ad", supersedes: "#c07a1d", contradicts: "#c23b33" };
const OTHER = "#6f7f95", FALLS = "#c23b33", WEAKER = "#e0a030", FADED = "#b8bcc2";
const NAMES = { link: "links", supersedes: "supersedes", contradicts: "contradicts" };

const data = await (await fetch(`${root}/graph.json`)).json();
const pages = data.pages.map(([slug, title, kind, sources]) => ({ slug, title, kind, sources }));
const kinds = [...new Set(pages.map((page) => page.kind))].sort();
const shownKinds = new Set(kinds), shownRelations = new Set(data.relations);

function box(into, name, value, set) {
  const label = document.createElement("label"), input = document.createElement("input");
  Object.assign(input, { type: "checkbox", checked: true, value });
  input.addEventListener("change", () => { if (input.checked) set.add(value); else set.delete(value); refresh(); });
  const dot = document.createElement("i");
  dot.style.background = COLOURS[value] ?? LINES[value] ?? OTHER;
  label.append(input, dot, ` ${name}`);
  one(into).append(label);
}
kinds.forEach((kind) => box("#kinds", kind, kind, shownKinds));
data.relations.forEach((relation) => box("#relations", NAMES[relation], relation, shownRelations));
const counts = new Map();
pages.forEach((page) => page.sources.forEach((source) => counts.set(source, (counts.get(source) ?? 0) + 1)));
data.sources.forEach((path, number) => {
  if (counts.has(number)) one("#without").append(new Option(`${path.replace("sources/", "")} (${counts.get(number)})`, number));
});
one("#single").addEventListener("change", refresh);
one("#without").addEventListener("change", refresh);

/** What the filters say, read once for all pages. */
const chosen = { without: "", single: false };

/** What becomes of a page without the source that is chosen, and whether the filters show it. */
function look(page) {
  const { without, single } = chosen;
  const hidden = !shownKinds.has(page.kind) || (single && page.sources.length !== 1);
  let colour = COLOURS[page.kind] ?? OTHER, falls = false;
  if (without !== "") {
    const rests = page.sources.includes(Number(without));
    falls = rests && page.sources.length === 1;
    colour = falls ? FALLS : rests ? WEAKER : FADED;
  }
  return { hidden, colour, falls };
}

let renderer;
const graph = window.graphology ? new graphology.Graph({ type: "directed", multi: true }) : null;
if (graph && window.Sigma) {
  pages.forEach((page, at) => {
    const angle = at * 2.399963, far = Math.sqrt(at) * 4;
    const size = (pages.length > 1500 ? 2 : 4) + Math.min(Math.sqrt(page.sources.length) * 3, 14);
    graph.addNode(at, { x: Math.cos(angle) * far, y: Math.sin(angle) * far, size, label: page.title, color: OTHER });
  });
  data.edges.forEach(([from, to, relation]) => {
    const name = data.relations[relation];
    graph.addEdge(from, to, { relation: name, color: LINES[name], size: name === "link" ? (pages.length > 1500 ? 0.5 : 1.2) : 2.5, type: name === "link" ? "line" : "arrow" });
  });
  let hovered;
  renderer = new Sigma(graph, one("#graph"), {
    labelColor: { color: getComputedStyle(document.body).color }, labelFont: "system-ui, sans-serif", labelRenderedSizeThreshold: pages.length > 300 ? 9 : 5,
    hideEdgesOnMove: pages.length > 2000, minEdgeThickness: 0.5, allowInvalidContainer: true,
    nodeReducer: (at, own) => {
      const { hidden, colour } = look(pages[at]);
      const far = hovered !== undefined && hovered !== at && !graph.areNeighbors(at, hovered);
      return { ...own, hidden, color: far ? FADED : colour, label: far ? "" : own.label };
    },
    edgeReducer: (edge, own) => {
      const away = hovered !== undefined && !graph.hasExtremity(edge, hovered);
      return { ...own, hidden: away || !shownRelations.has(own.relation) };
    },
  });
  renderer.on("clickNode", ({ node }) => { location.href = addressOf(pages[node]); });
  renderer.on("enterNode", ({ node }) => { hovered = node; renderer.refresh({ skipIndexation: true }); });
  renderer.on("leaveNode", () => { hovered = undefined; renderer.refresh({ skipIndexation: true }); });
  const worker = new Worker(new URL("layout.js", import.meta.url));
  worker.onmessage = ({ data: places }) => {
    graph.updateEachNodeAttributes((at, own) => ({ ...own, x: places[2 * at], y: places[2 * at + 1] }), { attributes: ["x", "y"] });
  };
  const x = [], y = [];
  graph.forEachNode((at, own) => { x.push(own.x); y.push(own.y); });
  worker.postMessage({ count: pages.length, edges: data.edges, x, y });
} else {
  one("#graph").textContent = "The graph needs scripts that are not here: run `make web`, or install the wheel. The list below has all pages.";
}

function refresh() {
  const without = chosen.without = one("#without").value;
  chosen.single = one("#single").checked;
  const shown = pages.filter((page) => !look(page).hidden);
  const falling = shown.filter((page) => look(page).falls);
  one("#told").textContent = without === ""
    ? `${shown.length.toLocaleString("en")} of ${pages.length.toLocaleString("en")} pages`
    : `without it ${falling.length} of ${pages.length} pages have no source left`;
  const listed = (without === "" ? shown : falling).slice(0, 500);
  one("#listed").replaceChildren(...listed.map((page) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = addressOf(page);
    link.textContent = page.title;
    item.append(link, ` ${page.sources.length}`);
    return item;
  }));
  if (document.body.dataset.drawn) renderer?.refresh({ skipIndexation: true });
  document.body.dataset.drawn = "yes";
}
refresh();
