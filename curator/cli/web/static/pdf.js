// PDF pages as pdf.js reads and paints them; none of a document's own scripts run, and nothing is fetched for it from outside.
import { coveredSpans } from "./covered.js";
import { find } from "./fold.js";
import { showInside } from "./lines.js";

const PLACE = new URL("vendor/pdfjs-dist", import.meta.url).href;
let library;

/** pdf.js, or null where it was not fetched with `make web`. */
export function pdfLibrary() {
  library ??= import(`${PLACE}/pdf.min.mjs`).then((loaded) => {
    loaded.GlobalWorkerOptions.workerSrc = `${PLACE}/pdf.worker.min.mjs`;
    return loaded;
  }).catch(() => null);
  return library;
}

/** A PDF that was fetched, from a copy of its bytes; null where pdf.js is missing or cannot read it. */
export async function openPdf(bytes) {
  const loaded = await pdfLibrary();
  if (!loaded) return null;
  const options = {
    data: new Uint8Array(bytes.slice(0)), cMapUrl: `${PLACE}/cmaps/`, cMapPacked: true,
    standardFontDataUrl: `${PLACE}/standard_fonts/`, wasmUrl: `${PLACE}/wasm/`, enableXfa: false, stopAtErrors: false,
  };
  return loaded.getDocument(options).promise.catch(() => null);
}

/** What a page says: its text, and where in it each piece that is painted begins. */
async function textOf(page) {
  const { items } = await page.getTextContent();
  const pieces = [];
  let text = "";
  for (const item of items) {
    if (item.str === undefined) continue;
    pieces.push({ item, start: text.length, end: text.length + item.str.length });
    text += item.str;
    if (item.hasEOL) text += "\n";
  }
  return { text, pieces };
}

/** The page among `first` to `last` on which the words of `quote` stand, and where; null where they do not. */
export async function findInPdf(pdf, first, last, quote) {
  let before = null;
  for (let number = first; number <= Math.min(last, pdf.numPages); number += 1) {
    const page = await pdf.getPage(number), read = await textOf(page);
    const span = find(quote, read.text);
    if (span) return { pages: [{ page, read, from: span[0], to: span[1] }] };
    if (before) {
      const joint = before.read.text + "\n" + read.text, border = before.read.text.length + 1;
      const over = find(quote, joint);
      if (over) return { pages: [{ ...before, from: over[0], to: border - 1 }, { page, read, from: 0, to: over[1] - border }] };
    }
    before = { page, read };
  }
  return null;
}

/** Paints one page into `into`, as wide as it is, with boxes around the words from `from` to `to` of its text, `covering` lit in them. */
export async function paint(into, { page, read, from, to }, covering = []) {
  const loaded = await pdfLibrary();
  const width = Math.max(into.clientWidth - 32, 240), scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale }), sharp = Math.min(devicePixelRatio || 1, 2);
  const sheet = document.createElement("div"), canvas = document.createElement("canvas");
  sheet.className = "sheet";
  canvas.width = Math.floor(viewport.width * sharp);
  canvas.height = Math.floor(viewport.height * sharp);
  canvas.style.width = `${viewport.width}px`;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `Page ${page.pageNumber}`);
  sheet.append(canvas);
  into.append(sheet);
  const boxes = (className, first, last) => {
    for (const { item, start, end } of read.pieces) {
      if (start >= last || end <= first || !item.str.trim()) continue;
      const box = document.createElement("div");
      box.className = className;
      const m = loaded.Util.transform(viewport.transform, item.transform), high = Math.hypot(m[2], m[3]);
      const share = (at) => (item.width * scale * Math.min(Math.max(at - start, 0), end - start)) / (end - start);
      box.style.left = `${m[4] + share(first)}px`;
      box.style.top = `${m[5] - high}px`;
      box.style.width = `${share(last) - share(first)}px`;
      box.style.height = `${high * 1.2}px`;
      sheet.append(box);
    }
  };
  boxes("box", from, to);
  for (const [first, last] of coveredSpans(read.text.slice(from, to), covering)) boxes("covered-box", from + first, from + last);
  const painting = page.render({ canvasContext: canvas.getContext("2d"), viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
  showInside(sheet.querySelector(".box"));
  await painting.promise;
}
