import * as v from 'valibot';
import { money } from '../../../locales/format/money.ts';
import { latin } from '../../../locales/format/numerals.ts';
import { type Plan, planById, renewalPrice } from '../../catalog/plans.ts';
import type { TemplateContext } from '../template.ts';

/** Fields of every e-mail about money. Times in ms since 1970. */
export const moneyFields = {
  plan: v.pipe(
    v.string(),
    v.check((id) => planById(id) !== undefined),
  ),
  /** Missing in messages that were queued before the field existed. */
  coupon: v.nullish(v.string(), null),
  at: v.number(),
  timeZone: v.string(),
};

/** @throws RangeError for an unknown plan, which the schema above refuses */
export function planOf({ plan: id }: { plan: string }): Plan {
  const plan = planById(id);
  if (!plan) throw new RangeError(`no plan ${id}`);
  return plan;
}

export function planName({ slot, period, trialDays }: Plan, t: TemplateContext['t']): string {
  if (slot !== 'main') return t(`plan.${slot}`);
  if (trialDays) return t('plan.intro', { count: trialDays });
  return period === 'quarter' ? t('plan.quarterly') : t('plan.monthly');
}

export function formatDay(at: number, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long', timeZone }).format(at);
}

export function formatRenewalPrice(
  data: { plan: string; coupon: string | null },
  language: string,
): string {
  const plan = planOf(data);
  return formatAmount(renewalPrice(plan, data.coupon), plan, language);
}

export const formatAmount = (amountMinor: number, { currency }: Plan, language: string): string =>
  money(amountMinor, currency, language);

export const supportLine = ({ t, support }: TemplateContext): string[] =>
  support ? [t('layout.support', { address: support })] : [];
