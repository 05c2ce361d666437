import {
  fillPlaceholders,
  type PlaceholderValues,
  splitAtPlaceholders,
} from '../content/page-placeholders.ts';

const utf8 = new TextEncoder();

/** Identifies the values of a page's placeholders: equal readers get equal values. */
export interface Reader {
  env: object;
  key: string;
}

/** Rendered HTML in bytes. Caches the last filled page, because consecutive visitors are often from one country. */
export class CachedPage {
  readonly #pieces: readonly Uint8Array[];
  readonly #placeholders: readonly string[];
  #values = '';
  #filledFor: Reader | null = null;
  #filled: Uint8Array<ArrayBuffer> | null = null;
  readonly size: number;

  constructor(html: string) {
    const parts = splitAtPlaceholders(html);
    this.#pieces = parts.filter((_, at) => at % 2 === 0).map((text) => utf8.encode(text));
    this.#placeholders = parts.filter((_, at) => at % 2 === 1);
    this.size = 2 * this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** UTF-8, never to be written to. @param read is called only if the last reader was a different one */
  fill(reader: Reader, read: () => PlaceholderValues): Uint8Array<ArrayBuffer> {
    const { env, key } = this.#filledFor ?? {};
    if (this.#filled !== null && env === reader.env && key === reader.key) return this.#filled;
    const values = read();
    const texts = this.#placeholders.map((one) => fillPlaceholders(one, values));
    const all = texts.join('\uE000');
    if (this.#filled === null || this.#values !== all) {
      this.#filled = this.#join(texts.map((text) => utf8.encode(text)));
      this.#values = all;
    }
    this.#filledFor = reader;
    return this.#filled;
  }

  #join(between: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    const all = this.#pieces.flatMap((piece, at) => [piece, between[at] ?? new Uint8Array()]);
    const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of all) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

export class PageCache<Page extends { size: number }> {
  readonly #maxSize: number;
  readonly #pages = new Map<string, Page>();
  #size = 0;

  /** @param maxSize of all pages together, in the unit of their `size` */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
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
    if (page.size > this.#maxSize) return;
    this.#pages.set(key, page);
    this.#size += page.size;
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#pages.get(key)?.size ?? 0;
    this.#pages.delete(key);
  }
}
