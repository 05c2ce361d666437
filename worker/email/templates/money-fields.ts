import * as v from 'valibot';
import { money } from '../../../locales/format/money.ts';
import { latin } from '../../../locales/format/numerals.ts';
import { type Plan, planById, renewalPrice } from '../../catalog/rules/plans.ts';
import type { EmailLink, TemplateContext } from '../template.ts';

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
  at: number;
  timeZone: string;
  receipt?: string | undefined;
  tax?: number | undefined;
  taxIncluded?: boolean | undefined;
}

export function receiptFacts(
  { t, language, seller }: TemplateContext,
  data: Receipt,
  sumMinor: number,
): [string, string][] {
  const plan = requiredPlan(data);
  const { tax, receipt } = data;
  const amount = (minor: number) => formatAmount(minor, plan, language);
  return [
    [t('receipt.item'), planLabel(plan, t)],
    [t('receipt.date'), longDay(data.at, language, data.timeZone)],
    ...(tax === undefined
      ? []
      : ([
          [t('receipt.net'), amount(sumMinor - tax)],
          [t('receipt.vat'), amount(tax)],
        ] as [string, string][])),
    [t('receipt.total'), amount(sumMinor)],
    ...(receipt ? ([[t('receipt.number'), receipt]] as [string, string][]) : []),
    ...(seller ? ([[t('receipt.seller'), seller]] as [string, string][]) : []),
  ];
}

export const receiptFooter = (
  { t, site }: TemplateContext,
  { tax, taxIncluded, receipt }: Receipt,
): (string | EmailLink)[] => [
  ...(tax === undefined && taxIncluded ? [t('receipt.tax')] : []),
  ...(receipt ? [{ label: t('receipt.open'), href: `${site}/manage/receipt#${receipt}` }] : []),
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
