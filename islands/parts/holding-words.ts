import type { IslandText } from '../../locales/index.ts';
import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import { fill } from './fill.ts';
import { money } from './money.ts';
import { latin } from './numerals.ts';
import { pluralOf } from './plural.ts';

export type HoldingText = IslandText['my-purchases'];

/** A day in full. @param at ms since 1970 @param timeZone the browser's own when left out */
export function dayText(at: number, language: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long', timeZone }).format(at);
}

/** What something bought is called. */
function holdingName(text: HoldingText, held: HoldingView, language: string): string {
  if (held.slot !== 'main') return text[held.slot];
  if (held.trialDays) return pluralOf(text, 'intro', held.trialDays, language);
  return held.period === 'quarter' ? text.quarterly : text.monthly;
}

/** What an intro's name counts. */
export const holdingTitle = (text: HoldingText, held: HoldingView, language: string): string =>
  fill(holdingName(text, held, language), { count: held.trialDays });

/** What cancelling means for something bought, in plain words. */
export function cancelWords(text: HoldingText, held: HoldingView, language: string): string {
  if (held.paidUntil === null) return text.cancel_now;
  return fill(text.cancel_what, { date: dayText(held.paidUntil, language) });
}

/** Word and sentence of each fact about something bought. */
export function holdingFacts(
  text: HoldingText,
  held: HoldingView,
  language: string,
): [word: string, said: string[]][] {
  const sum = (minor: number) => money(minor, held.currency, language);
  const next = held.next;
  const then = next
    ? fill(text.next_on, { sum: sum(next.amount), date: dayText(next.at, language) })
    : text.next_none;
  const payments = held.payments.map(({ kind, amount, at }) =>
    fill(kind === 'capture' ? text.payment : text.back, {
      sum: sum(amount),
      date: dayText(at, language),
    }),
  );
  const lasts = held.paidUntil !== null && held.state !== 'withdrawn';
  return [
    ...(lasts
      ? [[text.until, [dayText(held.paidUntil ?? 0, language)]] as [string, string[]]]
      : []),
    [text.next, [then]],
    [text.paid, payments],
  ];
}
