import { callingCodeIn } from './countries.ts';

/** Digits of any script as ASCII, and the wide plus as plus; all else stays. */
export function plain(text: string): string {
  return text.replaceAll('＋', '+').replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
}

/** The digits of a text, as ASCII. */
export const digitsOf = (text: string): string => plain(text).replace(/\D/g, '');

/** Whether a text has only what numbers are written with, so that rewriting it loses nothing. */
export const isPhoneText = (text: string): boolean =>
  /^\s*\+?[\d\s().\-/\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/.test(plain(text));

/** How numbers abroad begin where that is not 00, by calling code. */
const exits: Record<string, string> = { 1: '011', 61: '0011', 81: '010' };

/**
 * The digits of a number in an international form, calling code first: `+44…`, `0044…`, and `011 44…`
 * where that is how calls abroad begin.
 *
 * @param calling calling code of the chosen country
 * @returns null for a national number, and for a calling code that nobody has
 */
export function international(text: string, calling: string): string | null {
  const digits = digitsOf(text);
  const exit = [exits[calling] ?? '00', '00'].find((start) => digits.startsWith(start));
  const plus = /^[^\d+]*\+/.test(plain(text));
  const rest = plus ? digits : exit && digits.slice(exit.length);
  return rest && callingCodeIn(rest) ? rest : null;
}

export interface Typed {
  text: string;
  /** Where the caret is, in characters. */
  caret: number;
}

/** Signs that a caret counts: digits, and the plus. */
const counted = (text: string) => plain(text).match(/[\d+]/g)?.length ?? 0;

/** Removes a deleted separator's digit, so that deleting one does not bring back the same text. */
function afterDeletion(before: string, { text, caret }: Typed, way: string): Typed {
  if (digitsOf(before) !== digitsOf(text) || before.length <= text.length) return { text, caret };
  const start = text.slice(0, caret);
  const end = text.slice(caret);
  if (way === 'deleteContentForward') {
    return { text: start + end.replace(/[\p{Nd}+]/u, ''), caret };
  }
  const shorter = start.replace(/[\p{Nd}+](?=[^\p{Nd}+]*$)/u, '');
  return { text: shorter + end, caret: shorter.length };
}

/**
 * What a field shows after an edit: formatted, the caret behind the same digit as before. A text
 * whose digits the format would change, or that is not all number, stays as it is.
 *
 * @param before what the field showed
 * @param typed what the browser made of the edit
 * @param way the edit, as `InputEvent.inputType` names it
 */
export function edited(
  before: string,
  typed: Typed,
  way: string,
  format: (text: string) => string,
): Typed {
  const now = /^deleteContent(Back|For)ward$/.test(way) ? afterDeletion(before, typed, way) : typed;
  if (!isPhoneText(now.text)) return now;
  const text = format(plain(now.text));
  if (digitsOf(text) !== digitsOf(now.text)) return now;
  const wanted = counted(now.text.slice(0, now.caret));
  if (wanted === counted(now.text)) return { text, caret: text.length };
  let caret = 0;
  while (counted(text.slice(0, caret)) < wanted) caret += 1;
  return { text, caret };
}
