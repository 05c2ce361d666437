import { isolated, latin, unmarked } from './numerals.ts';

/** An amount as Intl cuts it, all spaces no-break ones: engines differ in their width. */
function partsOf(minor: number, currency: string, language: string) {
  return new Intl.NumberFormat(language, {
    ...latin,
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  })
    .formatToParts(minor / 100)
    .map(({ type, value }) => ({ type, value: value.replace(/\s/g, '\u00a0') }));
}

/**
 * An amount as people of a language write it: `money(699, 'USD', 'en')` is `$6.99`.
 * `minor` is in minor units (cents); whole amounts keep their cents, so that columns line up.
 */
export function money(minor: number, currency: string, language: string): string {
  const written = partsOf(minor, currency, language).map(({ value }) => value);
  // The letters of a sign such as US$ would turn it round where one reads from right to left.
  const steady = written.map((value) => (/[A-Z]/.test(value) ? `\u2066${value}\u2069` : value));
  const text = isolated(steady.join(''));
  return text.startsWith('\u2067') ? text : isolated(written.join(''));
}

/** A piece of an amount for a price with raised cents. */
export type PricePiece = { readonly kind: 'sign' | 'whole' | 'cents'; readonly text: string };

/**
 * `money` cut into pieces in the order the language writes them, the decimal mark left out:
 * `[['sign','$'],['whole','6'],['cents','99']]`.
 */
export function pricePieces(minor: number, currency: string, language: string): PricePiece[] {
  const pieces: PricePiece[] = [];
  for (const { type, value } of partsOf(minor, currency, language)) {
    const last = pieces.at(-1);
    const text = unmarked(value);
    if (type === 'currency') pieces.push({ kind: 'sign', text });
    else if (type === 'fraction') pieces.push({ kind: 'cents', text });
    else if (type === 'integer' || type === 'group') {
      if (last?.kind === 'whole') pieces[pieces.length - 1] = { ...last, text: last.text + text };
      else pieces.push({ kind: 'whole', text });
    }
  }
  return pieces;
}
