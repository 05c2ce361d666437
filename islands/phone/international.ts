import { callingCodeIn } from './countries.ts';
import { digitsOf, plain } from './phone-parse.ts';

const exits: Record<string, string> = { 1: '011', 61: '0011', 81: '010' };

/**
 * The digits of an international number, calling code first: `+44…`, `0044…`, or `011 44…` with the selected country's
 * call prefix.
 * @param calling calling code of the selected country
 * @returns null for a national number or an unknown calling code
 */
export function international(text: string, calling: string): string | null {
  const digits = digitsOf(text);
  const exit = [exits[calling] ?? '00', '00'].find((start) => digits.startsWith(start));
  const plus = /^[^\d+]*\+/.test(plain(text));
  const rest = plus ? digits : exit && digits.slice(exit.length);
  return rest && callingCodeIn(rest) ? rest : null;
}
