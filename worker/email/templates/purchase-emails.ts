import * as v from 'valibot';
import { percentOf } from '../../../locales/format/numerals.ts';
import { hasOwnCoupon, type MailPlan } from '../../catalog/rules/plans.ts';
import { planLabel } from '../plan-label.ts';
import { defineTemplate, type TemplateContext } from '../template.ts';
import {
  everyOf,
  formatAmount,
  formatRenewalPrice,
  laterLine,
  longDay,
  moneyFields,
  receiptFacts,
  receiptFields,
  receiptFooter,
  supportLine,
} from './money-fields.ts';

/** @param lastDay midnight UTC of the last day of the legal right; null where there is none */
const withdrawalRight = ({ t, language }: TemplateContext, lastDay: number | null): string[] =>
  lastDay === null
    ? []
    : [t('purchase_confirmation.withdraw', { date: longDay(lastDay, language, 'UTC') })];

const couponLine = (
  { t, language }: TemplateContext,
  plan: MailPlan,
  code: string | null,
): string[] => {
  if (!plan.coupon || !hasOwnCoupon(plan, code)) return [];
  const percent = percentOf(plan.coupon.percent, language);
  return [
    t('purchase_confirmation.less', { full: formatAmount(plan.price, plan, language), percent }),
  ];
};

export const purchaseConfirmation = defineTemplate({
  data: v.object({
    ...moneyFields,
    ...receiptFields,
    paid: v.number(),
    renews: v.nullable(v.number()),
    withdraw: v.nullable(v.number()),
  }),
  write: (context, data) => {
    const { t, language, site } = context;
    const { plan } = data;
    const { period } = plan;
    const date = data.renews === null ? '' : longDay(data.renews, language, data.timeZone);
    const price = formatRenewalPrice(data, language);
    const isFree = 'isFree' in plan;
    const renews = period !== 'once' && date;
    const ends = period === 'once' ? null : data.renews;
    // A trial paid nothing, so the day has a row of its own.
    const { sum, facts } = receiptFacts(context, data, data.paid, {
      renews: ends,
      ...(isFree && { title: t('receipt.total') }),
    });
    const purchases = { label: t('purchase_confirmation.manage_action'), href: `${site}/manage` };
    const ask = { label: t('purchase_confirmation.ask_action'), href: `${site}/manage` };
    return {
      ...(isFree
        ? { subject: t('purchase_confirmation.trial_subject'), facts }
        : { subject: t('purchase_confirmation.subject'), sum, facts }),
      paragraphs: [
        ...(isFree ? [t('purchase_confirmation.trial')] : []),
        ...couponLine(context, plan, data.coupon),
        renews
          ? t('purchase_confirmation.renews', { price, date, every: everyOf(plan, t) })
          : t('purchase_confirmation.once'),
        ...(data.renews === null ? [] : laterLine(context, data, data.renews)),
        ...(renews ? [t('purchase_confirmation.cancel')] : []),
      ],
      action: plan.slot === 'main' ? ask : purchases,
      footer: [
        ...withdrawalRight(context, data.withdraw),
        ...receiptFooter(context, data),
        ...(plan.slot === 'main' ? [purchases] : []),
        ...(renews
          ? [{ label: t('purchase_confirmation.cancel_action'), href: `${site}/cancel` }]
          : []),
        ...supportLine(context),
      ],
    };
  },
});

export const paymentConfirmation = defineTemplate({
  data: v.object({ ...moneyFields, invoice: v.string(), page: v.pipe(v.string(), v.url()) }),
  write: (context, data) => {
    const { t, site } = context;
    return {
      subject: t('payment_confirmation.subject'),
      paragraphs: [
        t('payment_confirmation.text', { name: planLabel(data.plan, context) }),
        t('payment_confirmation.where'),
      ],
      action: { label: t('payment_confirmation.action'), href: data.page },
      footer: [
        t('payment_confirmation.purchases', { address: `${site}/manage` }),
        ...supportLine(context),
      ],
    };
  },
});

export const refundEmail = defineTemplate({
  data: v.object({
    ...moneyFields,
    ...receiptFields,
    back: v.number(),
    /** The whole payment, if only a part was refunded and the plan continues. */
    partOf: v.optional(v.number()),
  }),
  write: (context, data) => {
    const { t, language } = context;
    const { plan, partOf } = data;
    const sum = formatAmount(data.back, plan, language);
    const date = longDay(data.at, language, data.timeZone);
    return {
      subject: t('refund.subject'),
      paragraphs: [
        t('refund.text', { sum, name: planLabel(plan, context), date }),
        ...(partOf ? [t('refund.part', { paid: formatAmount(partOf, plan, language) })] : []),
        t('refund.bank'),
      ],
      ...receiptFacts(context, data, data.back, { title: t('receipt.total') }),
      footer: [...receiptFooter(context, data), ...supportLine(context)],
    };
  },
});

export const withdrawal = defineTemplate({
  data: v.object({ ...moneyFields, back: v.number(), claimed: v.optional(v.boolean(), false) }),
  write: (context, data) => {
    const { t, language } = context;
    const { plan } = data;
    const date = longDay(data.at, language, data.timeZone);
    const values = { name: planLabel(plan, context), date };
    return {
      subject: data.claimed ? t('withdrawal.claim_subject') : t('withdrawal.subject'),
      paragraphs: [
        data.claimed ? t('withdrawal.claim', values) : t('withdrawal.text', values),
        ...(data.back > 0
          ? [t('withdrawal.back', { sum: formatAmount(data.back, plan, language) })]
          : []),
      ],
      footer: supportLine(context),
    };
  },
});
