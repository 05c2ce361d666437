/**
 * An amount as people of a language write it: `money(699, 'USD', 'en')` is `$6.99`.
 * `minor` is in minor units (cents); whole amounts keep their cents, so that columns line up.
 */
export function money(minor: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).format(minor / 100);
}

/** An amount in three pieces for a price with raised cents: `[['sign','$'],['whole','6'],['cents','99']]`. */
export type PricePiece = { readonly kind: 'sign' | 'whole' | 'cents'; readonly text: string };

/** `money` cut into pieces in the order the language writes them; the decimal mark is left out. */
export function pricePieces(minor: number, currency: string, language: string): PricePiece[] {
  const parts = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(minor / 100);
  const pieces: PricePiece[] = [];
  for (const { type, value } of parts) {
    const last = pieces.at(-1);
    if (type === 'currency') pieces.push({ kind: 'sign', text: value });
    else if (type === 'fraction') pieces.push({ kind: 'cents', text: value });
    else if (type === 'integer' || type === 'group') {
      if (last?.kind === 'whole')
        pieces[pieces.length - 1] = { kind: 'whole', text: last.text + value };
      else pieces.push({ kind: 'whole', text: value });
    }
  }
  return pieces;
}
