import type { Terms } from './new-attempt.ts';

const days = 14;
const oneDay = 24 * 60 * 60_000;

function dayIn(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'));
}

/**
 * The last day of the right to withdraw, as midnight UTC of that calendar day: the
 * 14th after the purchase, or the Monday after it at a weekend (Regulation 1182/71, article 3).
 * @returns null where no law gives the right
 */
export function withdrawalDay(terms: Terms | null | undefined): number | null {
  if (terms?.market !== 'euro' && terms?.market !== 'europe') return null;
  const last = dayIn(terms.at, terms.timeZone) + days * oneDay;
  const weekday = new Date(last).getUTCDay();
  return last + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * oneDay;
}

export function mayWithdraw(terms: Terms | null | undefined, now: number): boolean {
  const last = withdrawalDay(terms);
  return last !== null && terms != null && dayIn(now, terms.timeZone) <= last;
}
