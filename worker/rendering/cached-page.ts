import { fillPlaceholders, type PlaceholderValues } from '../content/page-placeholders.ts';

const utf8 = new TextEncoder();
const token = /(\uE000\w\uE001)/;

/** HTML as it is kept: in bytes, with what was filled in last, since one country's visitors come after another. */
export class CachedPage {
  readonly #pieces: readonly Uint8Array[];
  /** The token that stands behind each piece but the last. */
  readonly #tokens: readonly string[];
  #values = '';
  #filled: Uint8Array<ArrayBuffer> | null = null;
  /** Bytes: of the pieces, and of the page that was filled last. */
  readonly size: number;

  constructor(html: string) {
    const parts = html.split(token);
    this.#pieces = parts.filter((_, at) => at % 2 === 0).map((text) => utf8.encode(text));
    this.#tokens = parts.filter((_, at) => at % 2 === 1);
    this.size = 2 * this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The whole page, UTF-8, its tokens filled; not to be written to. */
  fill(values: PlaceholderValues): Uint8Array<ArrayBuffer> {
    const texts = this.#tokens.map((one) => fillPlaceholders(one, values));
    const all = texts.join('\uE000');
    if (this.#filled === null || this.#values !== all) {
      this.#filled = this.#join(texts.map((text) => utf8.encode(text)));
      this.#values = all;
    }
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
