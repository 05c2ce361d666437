import { interpolate } from '../../locales/format/interpolate.ts';
import { latin } from '../../locales/format/numerals.ts';
import type { Card } from '../../worker/payments/purchase/card-update.ts';

type Words = { card_is: string; card_expires: string };

/** The card's name, and when it expires. */
export function cardLines(text: Words, card: Card, language: string): string[] {
  const { brand, last4, month, year } = card;
  const name = last4 ? interpolate(text.card_is, { brand, digits: last4 }) : brand;
  const format = { ...latin, month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const;
  const written = new Intl.DateTimeFormat(language, format);
  // Arabic has a mark that turns the date around, but a card has the month first.
  const expiry =
    month && year && written.format(Date.UTC(year, month - 1)).replaceAll('\u200f', '');
  return expiry ? [name, interpolate(text.card_expires, { date: expiry })] : [name];
}
