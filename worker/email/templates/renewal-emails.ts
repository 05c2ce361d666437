import * as v from 'valibot';
import { defineTemplate } from '../template.ts';
import {
  formatAmount,
  formatDay,
  formatRenewalPrice,
  moneyFields,
  planName,
  planOf,
  receiptFields,
  receiptLines,
  supportLine,
} from './money-fields.ts';

export const renewalReminder = defineTemplate({
  data: v.object({ ...moneyFields, renews: v.number() }),
  write: (context, data) => {
    const { t, language, site } = context;
    const date = formatDay(data.renews, language, data.timeZone);
    const price = formatRenewalPrice(data, language);
    return {
      subject: t('reminder.subject', { date }),
      paragraphs: [t('reminder.text', { price, date }), t('reminder.choice')],
      action: { label: t('reminder.action'), href: `${site}/cancel` },
      footer: supportLine(context),
    };
  },
});

const ending = v.object({ ...moneyFields, ends: v.nullable(v.number()) });

export const cancellation = defineTemplate({
  data: ending,
  write: (context, data) => {
    const { t, language, site } = context;
    const date = formatDay(data.at, language, data.timeZone);
    const end = data.ends === null ? '' : formatDay(data.ends, language, data.timeZone);
    return {
      subject: t('cancelled.subject'),
      paragraphs: [
        t('cancelled.text', { name: planName(planOf(data), t), date }),
        ...(end ? [t('cancelled.until', { date: end })] : []),
        t('cancelled.nothing'),
      ],
      action: { label: t('cancelled.action'), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});

export const extraEnded = defineTemplate({
  data: ending,
  write: (context, data) => {
    const { t, language, site } = context;
    const end = data.ends === null ? '' : formatDay(data.ends, language, data.timeZone);
    return {
      subject: t('extra_ended.subject'),
      paragraphs: [
        t('extra_ended.text', { name: planName(planOf(data), t) }),
        ...(end ? [t('cancelled.until', { date: end })] : []),
        t('cancelled.nothing'),
      ],
      action: { label: t('cancelled.action'), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});

export const resumption = defineTemplate({
  data: v.object({ ...moneyFields, renews: v.number() }),
  write: (context, data) => {
    const { t, language, site } = context;
    const plan = planOf(data);
    const renewal = {
      price: formatRenewalPrice(data, language),
      date: formatDay(data.renews, language, data.timeZone),
    };
    const date = formatDay(data.at, language, data.timeZone);
    return {
      subject: t('resumed.subject'),
      paragraphs: [
        t('resumed.text', { name: planName(plan, t), date }),
        plan.period === 'quarter' ? t('bought.quarter', renewal) : t('bought.month', renewal),
        t('bought.cancel'),
      ],
      action: { label: t('bought.cancel_action'), href: `${site}/cancel` },
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
    const plan = planOf(data);
    const sum = formatAmount(data.paid, plan, language);
    const date = formatDay(data.at, language, data.timeZone);
    const receipt = {
      subject: t('renewed.subject'),
      footer: [...receiptLines(context, data, data.paid), ...supportLine(context)],
    };
    const paid = t('renewed.text', { sum, date, name: planName(plan, t) });
    if (data.renews === null) {
      const action = { label: t('bought.manage_action'), href: `${site}/manage` };
      return { ...receipt, paragraphs: [paid], action };
    }
    const renewal = {
      price: formatRenewalPrice(data, language),
      date: formatDay(data.renews, language, data.timeZone),
    };
    const next = t(plan.period === 'quarter' ? 'bought.quarter' : 'bought.month', renewal);
    return {
      ...receipt,
      paragraphs: [paid, next, t('bought.cancel')],
      action: { label: t('bought.cancel_action'), href: `${site}/cancel` },
    };
  },
});
