import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import type { IslandText } from '../../locales/index.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';

/** What follows the first payment, such as `then $39.99 every month`. */
export function renewalText(
  { introDays, price, currency, period }: PlanView,
  text: IslandText['plan-picker'],
  language: string,
): string {
  if (!introDays) return text[`renews_${period}`];
  return interpolate(text.then, { price: money(price, currency, language) });
}
