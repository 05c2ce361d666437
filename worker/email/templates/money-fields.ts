import * as v from 'valibot';
import { money } from '../../../locales/format/money.ts';
import { latin } from '../../../locales/format/numerals.ts';
import { type Plan, planById, renewalPrice } from '../../catalog/rules/plans.ts';
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

/** Of the printable receipt; missing in messages that were queued before it existed. */
export const receiptFields = {
  receipt: v.optional(v.string()),
  taxIncluded: v.optional(v.boolean()),
  tax: v.optional(v.number()),
};

interface Receipt {
  plan: string;
  receipt?: string | undefined;
  tax?: number | undefined;
  taxIncluded?: boolean | undefined;
}

function taxLine(
  { t, language }: TemplateContext,
  { tax, taxIncluded, plan }: Receipt,
  sumMinor: number,
): string[] {
  if (tax === undefined) return taxIncluded ? [t('receipt.tax')] : [];
  const amount = (minor: number) => formatAmount(minor, requiredPlan({ plan }), language);
  return [
    t('receipt.amounts', { net: amount(sumMinor - tax), tax: amount(tax), sum: amount(sumMinor) }),
  ];
}

/** The legally required lines of a receipt beside the amount, and a link to print it. */
export const receiptLines = (
  context: TemplateContext,
  { receipt, ...about }: Receipt,
  sumMinor: number,
): string[] => [
  ...taxLine(context, about, sumMinor),
  ...(receipt ? [context.t('receipt.number', { number: receipt })] : []),
  ...(receipt
    ? [context.t('receipt.print', { address: `${context.site}/manage/receipt#${receipt}` })]
    : []),
  ...(context.seller ? [context.t('receipt.seller', { seller: context.seller })] : []),
];

/** @throws RangeError for an unknown plan, which the schema above refuses */
export function requiredPlan({ plan: id }: { plan: string }): Plan {
  const plan = planById(id);
  if (!plan) throw new RangeError(`no plan ${id}`);
  return plan;
}

export function planLabel({ slot, period, introDays }: Plan, t: TemplateContext['t']): string {
  if (slot !== 'main') return t(`plan.${slot}`);
  if (introDays) return t('plan.intro', { count: introDays });
  return period === 'quarter' ? t('plan.quarterly') : t('plan.monthly');
}

export function longDay(at: number, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long', timeZone }).format(at);
}

export function formatRenewalPrice(
  data: { plan: string; coupon: string | null },
  language: string,
): string {
  const plan = requiredPlan(data);
  return formatAmount(renewalPrice(plan, data.coupon), plan, language);
}

export const formatAmount = (amountMinor: number, { currency }: Plan, language: string): string =>
  money(amountMinor, currency, language);

export const supportLine = ({ t, support }: Pick<TemplateContext, 't' | 'support'>): string[] =>
  support ? [t('layout.support', { address: support })] : [];
