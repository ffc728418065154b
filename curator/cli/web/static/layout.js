// A worker: places the pages of a graph by their lines, and tells where they are as it goes.
self.DOMParser ??= self.Document ??= class {}; // graphology-library asks for one when it is loaded, for a format that is not read here
self.document ??= {};
importScripts("vendor/graphology/graphology.umd.min.js", "vendor/graphology-library/graphology-library.min.js");

onmessage = ({ data: { count, edges, x, y } }) => {
  const graph = new graphology.Graph({ type: "undirected", multi: false });
  for (let page = 0; page < count; page += 1) graph.addNode(page, { x: x[page], y: y[page], size: 1 });
  for (const [from, to] of edges) if (!graph.hasEdge(from, to)) graph.addEdge(from, to);
  const forces = graphologyLibrary.layoutForceAtlas2;
  const settings = { ...forces.inferSettings(count), barnesHutOptimize: count > 800, gravity: 0.6, scalingRatio: 6, slowDown: 2 + Math.log(count + 1) };
  const until = Date.now() + Math.min(2000 + count, 20000);
  const pause = count > 3000 ? 250 : 0; // what is told is drawn anew, and between that somebody wants to move it
  const step = () => {
    forces.assign(graph, { iterations: count > 3000 ? 2 : 12, settings });
    const places = new Float32Array(count * 2);
    graph.forEachNode((page, at) => { places[2 * page] = at.x; places[2 * page + 1] = at.y; });
    postMessage(places, [places.buffer]);
    if (Date.now() < until) setTimeout(step, pause);
    else { postMessage("done"); close(); }
  };
  step();
};
