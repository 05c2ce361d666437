import * as v from 'valibot';
import { money } from '../../../locales/format/money.ts';
import { latin } from '../../../locales/format/numerals.ts';
import { builtInCatalog } from '../../catalog/rules/catalog.ts';
import type { Currency } from '../../catalog/rules/currencies.ts';
import {
  type MailPlan,
  type Period,
  type Plan,
  renewalPrice,
  type Slot,
} from '../../catalog/rules/plans.ts';
import { renewalSteps } from '../../catalog/rules/renewal-date.ts';
import type { Minor } from '../../platform/types.ts';
import { planLabel } from '../plan-label.ts';
import type { EmailContent, EmailLink, TemplateContext } from '../template.ts';

const terms = v.object({
  slot: v.custom<Slot>((slot) => typeof slot === 'string'),
  period: v.custom<Period>((period) => typeof period === 'string'),
  currency: v.custom<Currency>((currency) => typeof currency === 'string'),
  introDays: v.number(),
  price: v.custom<Minor>((price) => typeof price === 'number'),
  coupon: v.exactOptional(v.object({ code: v.string(), percent: v.number() })),
  reduction: v.exactOptional(
    v.object({
      off: v.custom<Minor>((off) => typeof off === 'number'),
      renewals: v.number(),
      day: v.number(),
    }),
  ),
  isFree: v.exactOptional(v.literal(true)),
  texts: v.exactOptional(v.object({ name: v.optional(v.string()) })),
});

/** Fields of every e-mail about money. Times in ms since 1970. */
export const moneyFields = {
  /** A message of an earlier build has the id of a built-in plan. */
  plan: v.union([
    terms satisfies v.GenericSchema<MailPlan>,
    v.pipe(
      v.string(),
      v.transform((id) => builtInCatalog.planById(id)),
      v.custom<Plan>((plan) => plan !== undefined),
    ),
  ]),
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
  plan: MailPlan;
  at: number;
  timeZone: string;
  receipt?: string | undefined;
  tax?: number | undefined;
  taxIncluded?: boolean | undefined;
}

const factOf = (label: string, value: string | 0 | false | null | undefined): [string, string][] =>
  value ? [[label, value]] : [];

/** @param title the sum's; by default when it was paid */
export function receiptFacts(
  context: TemplateContext,
  data: Receipt,
  sumMinor: number,
  { renews = null, title }: { renews?: number | null; title?: string } = {},
): Pick<EmailContent, 'sum' | 'facts'> {
  const { t, language, seller } = context;
  const { plan, at, timeZone, tax, taxIncluded } = data;
  const amount = (minor: number) => formatAmount(minor, plan, language);
  const isKnown = tax !== undefined;
  const date = longDay(at, language, timeZone);
  return {
    sum: [title ?? t('receipt.paid', { date }), amount(sumMinor)],
    facts: [
      ...factOf(t('receipt.item'), planLabel(plan, context)),
      ...factOf(t('receipt.period'), renews && dayRange(at, renews, language, timeZone)),
      ...factOf(t('receipt.net'), isKnown && amount(sumMinor - tax)),
      ...factOf(t('receipt.vat'), isKnown ? amount(tax) : taxIncluded && t('receipt.tax')),
      ...factOf(t('receipt.date'), title && date),
      ...factOf(t('receipt.seller'), seller),
    ],
  };
}

export const receiptFooter = (
  { t, site }: TemplateContext,
  { receipt }: Receipt,
): (string | EmailLink)[] =>
  receipt
    ? [
        `${t('receipt.number')}: ${receipt}`,
        { label: t('receipt.open'), href: `${site}/manage/receipt#${receipt}` },
      ]
    : [];

export const everyOf = ({ period }: MailPlan, t: TemplateContext['t']): string =>
  period === 'once' ? '' : t(`plan.every.${period}`);

export function longDay(at: number, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { ...latin, dateStyle: 'long', timeZone }).format(at);
}

/** With the month's name in every language, as in the other dates. */
const rangeDay = { ...latin, day: 'numeric', month: 'short', year: 'numeric' } as const;

const dayRange = (from: number, to: number, language: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { ...rangeDay, timeZone }).formatRange(from, to);

export const formatRenewalPrice = (
  { plan, coupon }: { plan: MailPlan; coupon: string | null },
  language: string,
): string => formatAmount(renewalPrice(plan, coupon), plan, language);

/** From when on the full price is paid, after the renewals that a coupon lowers. */
export const laterLine = (
  { t, language }: TemplateContext,
  { plan, coupon, timeZone }: { plan: MailPlan; coupon: string | null; timeZone: string },
  renews: number,
): string[] =>
  renewalSteps(plan, coupon, renews)
    .slice(1)
    .map(({ amount, at }) =>
      t('purchase_confirmation.renews', {
        price: formatAmount(amount, plan, language),
        date: longDay(at, language, timeZone),
        every: everyOf(plan, t),
      }),
    );

export const formatAmount = (
  amountMinor: number,
  { currency }: MailPlan,
  language: string,
): string => money(amountMinor, currency, language);

export const supportLine = ({ t, support }: Pick<TemplateContext, 't' | 'support'>): string[] =>
  support ? [t('layout.support', { address: support })] : [];
