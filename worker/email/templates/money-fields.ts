import * as v from 'valibot';
import { money } from '../../../locales/format/money.ts';
import { latin } from '../../../locales/format/numerals.ts';
import { type Plan, planById, renewalPrice } from '../../catalog/plans.ts';
import type { TemplateContext } from '../template.ts';

/** What every mail about money is told: see `Notice`. */
export const moneyEmail = {
  plan: v.pipe(
    v.string(),
    v.check((id) => planById(id) !== undefined),
  ),
  /** A message from before a deploy has none. */
  coupon: v.nullish(v.string(), null),
  at: v.number(),
  timeZone: v.string(),
};

interface About {
  plan: string;
  coupon: string | null;
  timeZone: string;
}

/** The row of a plan that the schema let through. */
export function planIn({ plan }: Pick<About, 'plan'>): Plan {
  const row = planById(plan);
  if (!row) throw new RangeError(`no plan ${plan}`);
  return row;
}

/** A plan's name, as a sentence has it after a colon. */
export function nameOf({ slot, period, trialDays }: Plan, t: TemplateContext['t']): string {
  if (slot !== 'main') return t(`plan.${slot}`);
  if (trialDays) return t('plan.intro', { count: trialDays });
  return period === 'quarter' ? t('plan.quarterly') : t('plan.monthly');
}

/** A day in full, year and all. @param at ms since 1970 */
export function dayIn(at: number, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long', timeZone }).format(at);
}

/** What each renewal costs. */
export const renewalIn = (data: Pick<About, 'plan' | 'coupon'>, language: string): string => {
  const plan = planIn(data);
  return sumIn(renewalPrice(plan, data.coupon), plan, language);
};

/** A sum of a plan's currency. */
export const sumIn = (minor: number, { currency }: Plan, language: string): string =>
  money(minor, currency, language);

/** Where questions go, when an address is set. */
export const supportIn = ({ t, support }: TemplateContext): string[] =>
  support ? [t('layout.support', { address: support })] : [];
