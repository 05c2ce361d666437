/** HTML that was rendered once, least recently used first out; bounded by its size in characters. */
export class PageCache {
  readonly #limit: number;
  readonly #pages = new Map<string, string>();
  #size = 0;

  /** @param limit characters that may be kept in all */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): string | undefined {
    const html = this.#pages.get(key);
    if (html === undefined) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, html);
    return html;
  }

  set(key: string, html: string): void {
    this.#remove(key);
    if (html.length > this.#limit) return;
    this.#pages.set(key, html);
    this.#size += html.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= this.#limit) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#pages.get(key)?.length ?? 0;
    this.#pages.delete(key);
  }
}
