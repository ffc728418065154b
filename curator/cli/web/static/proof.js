// The proof of a page as it is told: claims by their numbers, and the sources they cite; of a long page in parts.

const PART = 200;

export class PageProof {
  constructor(root, slug) {
    Object.assign(this, { address: `${root}/proof/${encodeURIComponent(slug)}.json`, claims: [], sources: {}, count: undefined, parts: new Map() });
  }

  /** The claim of that number, as soon as it is told. */
  async claim(number) {
    await this.part(Math.floor(number / PART));
    return this.claims[number];
  }

  /** All claims in their order, part by part. */
  async *all() {
    for (let at = 0; this.count === undefined || at * PART < this.count; at += 1) {
      await this.part(at);
      yield this.claims.slice(at * PART, (at + 1) * PART);
    }
  }

  part(at) {
    if (this.claims.length === this.count) return undefined; // files are told whole
    if (!this.parts.has(at)) this.parts.set(at, this.fetched(at));
    return this.parts.get(at);
  }

  async fetched(at) {
    const answer = await fetch(`${this.address}?from=${at * PART}&most=${PART}`), told = await answer.json();
    this.count = told.count;
    Object.assign(this.sources, told.sources);
    for (const claim of told.claims) this.claims[claim.number] = claim;
  }
}
