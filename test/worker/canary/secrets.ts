import { createHash } from 'node:crypto';

/** A secret or personal value that must be found nowhere, in all its notations. */
export interface Canary {
  /** The kind of value, such as `email`. */
  kind: string;
  /** Complete values, which may be encoded or hashed. */
  written: readonly string[];
  /** Parts that identify it by themselves. */
  parts?: readonly string[];
}

/** A text to look for. */
export interface Needle {
  /** Kind of the canary and its encoding: `email`, `email sha256`. */
  names: string;
  text: string;
  /** Whether case is ignored. */
  folded: boolean;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

/** Base64 of a text within a longer one: after none, one or two other bytes. */
function within(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = new Uint8Array([...new Uint8Array(before), ...bytesOf(text)]);
    return base64(bytes).slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

const cases = (text: string) => [...new Set([text, text.toLowerCase(), text.toUpperCase()])];

const digests = ['sha1', 'sha256', 'md5'] as const;

function hidden(kind: string, text: string): Needle[] {
  const found: Needle[] = [{ names: `${kind} hex`, text: hex(bytesOf(text)), folded: true }];
  for (const part of within(text)) {
    for (const spelt of new Set([part, urlSafe(part)]))
      found.push({ names: `${kind} base64`, text: spelt, folded: false });
  }
  for (const how of digests) {
    const digest = new Uint8Array(createHash(how).update(text).digest());
    const names = `${kind} ${how}`;
    const spelt = base64(digest).replace(/=+$/, '');
    found.push({ names, text: hex(digest), folded: true });
    for (const one of new Set([spelt, urlSafe(spelt)]))
      found.push({ names, text: one, folded: false });
  }
  return found;
}

/** All texts to search for, covering every canary. */
export function needlesOf(canaries: readonly Canary[]): Needle[] {
  return canaries
    .flatMap(({ kind, written, parts = [] }) => {
      const plain = [...written, ...parts].map((text) => ({ names: kind, text, folded: true }));
      const spelt = [...new Set(written.flatMap(cases))].flatMap((text) => hidden(kind, text));
      return [...plain, ...spelt];
    })
    .map((needle) => (needle.folded ? { ...needle, text: needle.text.toLowerCase() } : needle));
}
