import { fillTokens, type Values } from './tokens.ts';

const utf8 = new TextEncoder();

/** HTML as it is kept: the bytes between its tokens, so that only what is filled in is encoded anew. */
export class KeptPage {
  readonly #parts: readonly (Uint8Array | string)[];
  /** Bytes. */
  readonly size: number;

  constructor(html: string) {
    const parts = html.split(/(\uE000\w\uE001)/);
    this.#parts = parts.map((part, at) => (at % 2 === 0 ? utf8.encode(part) : part));
    this.size = this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** The whole page, UTF-8, its tokens filled. */
  fill(values: Values): Uint8Array<ArrayBuffer> {
    const whole = this.#parts.map((part) =>
      typeof part === 'string' ? utf8.encode(fillTokens(part, values)) : part,
    );
    const bytes = new Uint8Array(whole.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of whole) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
