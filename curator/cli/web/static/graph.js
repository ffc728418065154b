// The graph: pages by kind, lines by meaning, size by independent sources; what would fall without a source.
const one = (query) => document.querySelector(query);
const { root, end } = document.body.dataset;
const addressOf = (page) => `${root}/page/${encodeURIComponent(page.slug)}${end}`;
const COLOURS = { concept: "#3b7dd8", entity: "#2f9e6e", summary: "#9a8f7d", comparison: "#b0559b", timeline: "#c07a1d" };
const LINES = { link: "#9aa3ad", cites: "#c9b37a", supersedes: "#c07a1d", contradicts: "#c23b33" };
const OTHER = "#6f7f95", FALLS = "#c23b33", WEAKER = "#e0a030";
let faded = "";
const coloured = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const SOURCE = "#8d7a45";
const NAMES = { link: "links", cites: "cites (sources)", supersedes: "supersedes", contradicts: "contradicts" };

const data = await (await fetch(`${root}/graph.json`)).json();
const pages = data.pages.map(([slug, title, kind, sources]) => ({ slug, title, kind, sources }));
const kinds = [...new Set(pages.map((page) => page.kind))].sort();
const shownKinds = new Set(kinds), shownRelations = new Set(data.relations);

function box(into, name, value, set) {
  const label = document.createElement("label"), input = document.createElement("input");
  Object.assign(input, { type: "checkbox", checked: set.has(value), value });
  input.addEventListener("change", () => { if (input.checked) set.add(value); else set.delete(value); if (value === "cites") drawSources(); refresh(); });
  label.append(input, dot(COLOURS[value] ?? LINES[value] ?? OTHER), ` ${name}`);
  one(into).append(label);
}
function dot(colour) {
  const made = document.createElement("i");
  made.style.background = colour;
  return made;
}
kinds.forEach((kind) => box("#kinds", kind, kind, shownKinds));
const [links, ...others] = data.relations;
[links, "cites", ...others].forEach((relation) => box("#relations", NAMES[relation], relation, shownRelations));
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
    colour = falls ? FALLS : rests ? WEAKER : faded;
  }
  return { hidden, colour, falls };
}

let renderer;
const isLarge = pages.length > 1500;
const thin = isLarge ? "thin" : "line";
let moves = isLarge; // while pages find their places, the lines of many would take all the time there is
const graph = window.graphology ? new graphology.Graph({ type: "directed", multi: true }) : null;
if (graph && window.Sigma) {
  pages.forEach((page, at) => {
    const angle = at * 2.399963, far = Math.sqrt(at) * 4;
    const size = (4 + Math.min(Math.sqrt(page.sources.length) * 3, 14)) * (isLarge ? 0.5 : 1);
    graph.addNode(at, { x: Math.cos(angle) * far, y: Math.sin(angle) * far, size, label: page.title, color: OTHER });
  });
  data.edges.forEach(([from, to, relation]) => {
    const name = data.relations[relation];
    graph.addEdge(from, to, { relation: name, color: LINES[name], size: name === "link" ? (isLarge ? 0.5 : 1.2) : 2.5, type: name === "link" ? thin : "arrow" });
  });
  let hovered;
  renderer = new Sigma(graph, one("#graph"), {
    labelColor: { color: coloured("--ink") }, labelGridCellSize: 150, labelFont: "system-ui, sans-serif", labelRenderedSizeThreshold: pages.length > 300 ? 9 : 5,
    hideEdgesOnMove: isLarge, zIndex: true, edgeProgramClasses: { thin: Sigma.rendering.EdgeLineProgram }, minEdgeThickness: 0.5, allowInvalidContainer: true,
    nodeReducer: (at, own) => {
      const { hidden, colour } = own.source === undefined ? look(pages[at]) : { hidden: !shownRelations.has("cites"), colour: SOURCE };
      const far = hovered !== undefined && hovered !== at && !graph.areNeighbors(at, hovered);
      const stands = colour === FALLS || colour === WEAKER;
      const size = stands ? Math.max(own.size, 6) : own.size;
      return { ...own, hidden, color: far ? faded : colour, label: far ? "" : own.label, size, zIndex: stands ? 1 : 0 };
    },
    edgeReducer: (edge, own) => {
      const away = hovered !== undefined && !graph.hasExtremity(edge, hovered);
      return { ...own, hidden: moves || away || !shownRelations.has(own.relation) };
    },
  });
  const inTheTheme = () => {
    faded = coloured("--faded");
    renderer.setSetting("labelColor", { color: coloured("--ink") });
  };
  inTheTheme();
  new MutationObserver(inTheTheme).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", inTheTheme);
  renderer.on("clickNode", ({ node }) => {
    const source = graph.getNodeAttribute(node, "source");
    if (source === undefined) location.href = addressOf(pages[node]);
    else { one("#without").value = one("#without").value === `${source}` ? "" : source; refresh(); }
  });
  const point = (node) => { hovered = node; renderer.refresh({ skipIndexation: true }); };
  if (!isLarge) { // where each look takes no time, what is not beside the page that is pointed at fades
    renderer.on("enterNode", ({ node }) => point(node));
    renderer.on("leaveNode", () => point(undefined));
  }
  const worker = new Worker(new URL("layout.js", import.meta.url));
  worker.onmessage = ({ data: places }) => {
    moves &&= places !== "done";
    if (places === "done") { renderer.refresh(); return; }
    graph.updateEachNodeAttributes((at, own) => own.source === undefined ? { ...own, x: places[2 * at], y: places[2 * at + 1] } : own, { attributes: ["x", "y"] });
    placeSources();
  };
  const x = [], y = [];
  graph.forEachNode((at, own) => { x.push(own.x); y.push(own.y); });
  worker.postMessage({ count: pages.length, edges: data.edges, x, y });
} else {
  one("#graph").textContent = "The graph needs scripts that are not here: run `make web`, or install the wheel. The list below has all pages.";
}

/** Sources as points of their own, and what cites them: drawn when they are asked for, for they are many. */
function drawSources() {
  if (!graph || !shownRelations.has("cites") || graph.hasNode("s" + [...counts.keys()][0])) return;
  for (const [source, count] of counts) {
    const label = data.sources[source].replace("sources/", "");
    graph.addNode(`s${source}`, { x: 0, y: 0, size: 2 + Math.min(Math.sqrt(count), 8), label, color: SOURCE, source });
  }
  pages.forEach((page, at) => page.sources.forEach((source) => graph.addEdge(at, `s${source}`, { relation: "cites", color: LINES.cites, size: 0.8, type: thin })));
  placeSources();
}

/** Each source stands amid the pages that cite it; beside the page, where that is one. */
function placeSources() {
  for (const source of counts.keys()) {
    const node = `s${source}`, citing = graph.hasNode(node) ? graph.neighbors(node) : [];
    if (!citing.length) continue;
    const mean = (axis) => citing.reduce((sum, at) => sum + graph.getNodeAttribute(at, axis), 0) / citing.length;
    graph.mergeNodeAttributes(node, { x: mean("x") + Math.cos(source * 2.4) * 6, y: mean("y") + Math.sin(source * 2.4) * 6 });
  }
}

function refresh() {
  const without = chosen.without = one("#without").value;
  chosen.single = one("#single").checked;
  const shown = pages.filter((page) => !look(page).hidden);
  const falling = shown.filter((page) => look(page).falls);
  const inWords = (count) => `${count.toLocaleString("en")} ${count === 1 ? "page" : "pages"}`;
  const weaker = shown.filter((page) => page.sources.includes(Number(without))).length - falling.length;
  one("#told").replaceChildren(...(without === ""
    ? [`${shown.length.toLocaleString("en")} of ${inWords(pages.length)}`]
    : [dot(FALLS), ` without it ${inWords(falling.length)} of ${pages.length.toLocaleString("en")} ${falling.length === 1 ? "has" : "have"} no source left`,
      document.createElement("br"), dot(WEAKER), ` ${inWords(weaker)} ${weaker === 1 ? "rests" : "rest"} on others, too`]));
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
