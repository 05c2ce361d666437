/** Pages that were rendered once, least recently used first out; bounded by their size. */
export class PageCache<Page extends { size: number }> {
  readonly #limit: number;
  readonly #pages = new Map<string, Page>();
  #size = 0;

  /** @param limit size of all that may be kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): Page | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  set(key: string, page: Page): void {
    this.#remove(key);
    if (page.size > this.#limit) return;
    this.#pages.set(key, page);
    this.#size += page.size;
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= this.#limit) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#pages.get(key)?.size ?? 0;
    this.#pages.delete(key);
  }
}
