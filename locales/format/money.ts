import { minorDigits, minorPerUnit } from './currency.ts';
import { isolated, latin, unmarked } from './numerals.ts';

const sharedSigns = 'CAD AUD MXN CLP CNY COP HKD NZD SGD TWD';

/** Intl's parts with all spaces as no-break spaces, because engines differ in their width. */
function partsOf(minor: number, currency: string, language: string) {
  return new Intl.NumberFormat(language, {
    ...latin,
    style: 'currency',
    currency,
    // Dollars, pesos and yuan have the narrow sign of another currency: CA$, MX$ and CN¥ say whose it is.
    currencyDisplay: sharedSigns.includes(currency) ? 'symbol' : 'narrowSymbol',
    minimumFractionDigits: minorDigits(currency),
  })
    .formatToParts(minor / minorPerUnit(currency))
    .map(({ type, value }) => ({ type, value: value.replace(/\s/g, '\u00a0') }));
}

export function money(minor: number, currency: string, language: string): string {
  const written = partsOf(minor, currency, language).map(({ value }) => value);
  // Letters in a currency sign such as US$ would be reordered in right-to-left text.
  const steady = written.map((value) => (/[A-Z]/.test(value) ? `\u2066${value}\u2069` : value));
  const text = isolated(steady.join(''));
  return text.startsWith('\u2067') ? text : isolated(written.join(''));
}

export type PricePiece = { readonly kind: 'sign' | 'whole' | 'cents'; readonly text: string };

/**
 * `money` in parts, in the language's order and without the decimal mark:
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
