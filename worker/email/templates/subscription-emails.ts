import * as v from 'valibot';
import type { MailPlan } from '../../catalog/rules/plans.ts';
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

export const renewalReminder = defineTemplate({
  /** `early`: weeks before a long period; otherwise an intro ends. */
  data: v.object({ ...moneyFields, renews: v.number(), early: v.exactOptional(v.literal(true)) }),
  write: (context, data) => {
    const { t, language, site } = context;
    const date = longDay(data.renews, language, data.timeZone);
    const price = formatRenewalPrice(data, language);
    const values = { price, date, every: everyOf(data.plan, t) };
    const ends = () =>
      'isFree' in data.plan
        ? t('renewal_reminder.trial', values)
        : t('renewal_reminder.text', values);
    return {
      subject: t('renewal_reminder.subject', { date }),
      paragraphs: [
        data.early ? t('purchase_confirmation.renews', values) : ends(),
        ...laterLine(context, data, data.renews),
        t('renewal_reminder.choice'),
      ],
      ...(data.early && {
        facts: [[t('receipt.item'), planLabel({ ...data.plan, introDays: 0 }, context)]],
      }),
      action: { label: t('renewal_reminder.action'), href: `${site}/cancel` },
      footer: supportLine(context),
    };
  },
});

const ending = v.object({
  ...moneyFields,
  ends: v.nullable(v.number()),
  back: v.exactOptional(v.number()),
});

function endSentences({ t, language }: TemplateContext, data: v.InferOutput<typeof ending>) {
  const { plan, ends, back, timeZone } = data;
  return [
    ...(ends === null
      ? []
      : [t('cancellation.until', { date: longDay(ends, language, timeZone) })]),
    ...(back ? [t('cancellation.back', { sum: formatAmount(back, plan, language) })] : []),
    t('cancellation.nothing'),
  ];
}

export const cancellation = defineTemplate({
  data: ending,
  write: (context, data) => {
    const { t, language, site } = context;
    const date = longDay(data.at, language, data.timeZone);
    return {
      subject: t('cancellation.subject'),
      paragraphs: [
        t('cancellation.text', { name: planLabel(data.plan, context), date }),
        ...endSentences(context, data),
      ],
      action: { label: t('cancellation.action'), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});

export const extraEnded = defineTemplate({
  data: ending,
  write: (context, data) => {
    const { t, site } = context;
    return {
      subject: t('extra_ended.subject'),
      paragraphs: [
        t('extra_ended.text', { name: planLabel(data.plan, context) }),
        ...endSentences(context, data),
      ],
      action: { label: t('cancellation.action'), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});

export const resumption = defineTemplate({
  data: v.object({ ...moneyFields, renews: v.number() }),
  write: (context, data) => {
    const { t, language, site } = context;
    const { plan } = data;
    const renewal = {
      every: everyOf(plan, t),
      price: formatRenewalPrice(data, language),
      date: longDay(data.renews, language, data.timeZone),
    };
    const date = longDay(data.at, language, data.timeZone);
    return {
      subject: t('resumption.subject'),
      paragraphs: [
        t('resumption.text', { name: planLabel(plan, context), date }),
        t('purchase_confirmation.renews', renewal),
        ...laterLine(context, data, data.renews),
        t('purchase_confirmation.cancel'),
      ],
      action: { label: t('purchase_confirmation.cancel_action'), href: `${site}/cancel` },
      footer: supportLine(context),
    };
  },
});

export const renewalReceipt = defineTemplate({
  data: v.object({
    ...moneyFields,
    ...receiptFields,
    paid: v.number(),
    renews: v.nullable(v.number()),
  }),
  write: (context, data) => {
    const { t, language, site } = context;
    const { plan } = data;
    const sum = formatAmount(data.paid, plan, language);
    const date = longDay(data.at, language, data.timeZone);
    const receipt = {
      subject: t('renewal_receipt.subject'),
      ...receiptFacts(context, data, data.paid),
      footer: [...receiptFooter(context, data), ...supportLine(context)],
    };
    const paid = t('renewal_receipt.text', { sum, date, name: planLabel(plan, context) });
    if (data.renews === null) {
      const action = { label: t('purchase_confirmation.manage_action'), href: `${site}/manage` };
      return { ...receipt, paragraphs: [paid], action };
    }
    const renewal = {
      every: everyOf(plan, t),
      price: formatRenewalPrice(data, language),
      date: longDay(data.renews, language, data.timeZone),
    };
    const next = [
      t('purchase_confirmation.renews', renewal),
      ...laterLine(context, data, data.renews),
    ];
    return {
      ...receipt,
      paragraphs: [paid, ...next, t('purchase_confirmation.cancel')],
      action: { label: t('purchase_confirmation.cancel_action'), href: `${site}/cancel` },
    };
  },
});

const change = v.object({
  ...moneyFields,
  ...receiptFields,
  kind: v.picklist(['upgrade', 'switch', 'pause', 'resume', 'continue']),
  paid: v.number(),
  credit: v.number(),
  takesEffectAt: v.number(),
  until: v.nullable(v.number()),
  next: v.object({ amount: v.number(), at: v.number() }),
});

type Change = v.InferOutput<typeof change>;

function heading({ t }: TemplateContext, { kind }: Change): string {
  if (kind === 'pause') return t('paused.subject');
  return kind === 'upgrade' || kind === 'switch'
    ? t('plan_change.subject')
    : t('resumption.subject');
}

function changeSummary(context: TemplateContext, data: Change, plan: MailPlan): string {
  const { t, language } = context;
  const name = planLabel({ ...plan, introDays: 0 }, context);
  const day = (at: number) => longDay(at, language, data.timeZone);
  switch (data.kind) {
    case 'upgrade':
      return t('plan_change.now', { name });
    case 'switch':
      return t('plan_change.later', { name, date: day(data.takesEffectAt) });
    case 'pause': {
      const price = formatAmount(data.next.amount, plan, language);
      const dates = { date: day(data.takesEffectAt), until: day(data.next.at) };
      return t('paused.text', { name, price, ...dates });
    }
    case 'resume':
      return t('plan_change.unpaused', { name });
    case 'continue':
      return t('plan_change.kept', { name });
    default:
      return data.kind satisfies never;
  }
}

export const planChange = defineTemplate({
  data: change,
  write: (context, data) => {
    const { t, language, site } = context;
    const { plan } = data;
    const renewal = {
      every: everyOf(plan, t),
      price: formatAmount(data.next.amount, plan, language),
      date: longDay(data.next.at, language, data.timeZone),
    };
    const credit = formatAmount(data.credit, plan, language);
    return {
      subject: heading(context, data),
      ...(data.paid > 0 && receiptFacts(context, data, data.paid)),
      paragraphs: [
        changeSummary(context, data, plan),
        ...(data.paid > 0
          ? [t('purchase_confirmation.paid', { sum: formatAmount(data.paid, plan, language) })]
          : []),
        ...(data.credit > 0 ? [t('plan_change.credit', { credit })] : []),
        t('purchase_confirmation.renews', renewal),
        ...laterLine(context, data, data.next.at),
        t('purchase_confirmation.cancel'),
      ],
      action: { label: t('cancellation.action'), href: `${site}/manage` },
      footer: [...(data.paid > 0 ? receiptFooter(context, data) : []), ...supportLine(context)],
    };
  },
});

export const pauseReminder = defineTemplate({
  data: v.object({ ...moneyFields, renews: v.number() }),
  write: (context, data) => {
    const { t, language, site } = context;
    const date = longDay(data.renews, language, data.timeZone);
    const name = planLabel({ ...data.plan, introDays: 0 }, context);
    const price = formatRenewalPrice(data, language);
    return {
      subject: t('pause_reminder.subject', { date }),
      paragraphs: [
        t('pause_reminder.text', { name, price, date }),
        ...laterLine(context, data, data.renews),
        t('renewal_reminder.choice'),
      ],
      action: { label: t('renewal_reminder.action'), href: `${site}/cancel` },
      footer: supportLine(context),
    };
  },
});

export const priceRaise = defineTemplate({
  data: v.object({
    ...moneyFields,
    attempt: v.string(),
    step: v.picklist(['noticed', 'asked', 'agreed']),
    before: v.number(),
    renews: v.number(),
    next: v.object({ amount: v.number(), at: v.number() }),
  }),
  write: (context, data) => {
    const { t, language, site } = context;
    const { plan, step } = data;
    const date = longDay(data.next.at, language, data.timeZone);
    const price = formatAmount(data.next.amount, plan, language);
    const old = formatAmount(data.before, plan, language);
    const renews = t('purchase_confirmation.renews', { price, date, every: everyOf(plan, t) });
    const rise = t('price_raise.text', {
      name: planLabel({ ...plan, introDays: 0 }, context),
      old,
      price,
    });
    const cancel = { label: t('renewal_reminder.action'), href: `${site}/cancel` };
    const footer = supportLine(context);
    if (step === 'noticed') {
      return {
        subject: t('price_raise.subject', { date }),
        paragraphs: [rise, renews, t('renewal_reminder.choice')],
        action: cancel,
        footer,
      };
    }
    const agree = t('price_raise.agree');
    if (step === 'agreed') {
      return {
        subject: t('price_raise.agreed'),
        paragraphs: [rise, renews, t('purchase_confirmation.cancel')],
        action: cancel,
        footer,
      };
    }
    return {
      subject: t('price_raise.ask_subject'),
      paragraphs: [rise, t('price_raise.ask', { price, old, date })],
      action: { label: agree, href: `${site}/manage` },
      footer: [cancel, ...footer],
    };
  },
});
