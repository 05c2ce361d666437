import * as v from 'valibot';
import type { Plan } from '../../catalog/plans.ts';
import { defineTemplate, type TemplateContext } from '../template.ts';
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
  return kind === 'upgrade' || kind === 'switch' ? t('plan_changed.subject') : t('resumed.subject');
}

function whatHappens({ t, language }: TemplateContext, data: Change, plan: Plan): string {
  const name = planName({ ...plan, introDays: 0 }, t);
  const day = (at: number) => formatDay(at, language, data.timeZone);
  switch (data.kind) {
    case 'upgrade':
      return t('plan_changed.now', { name });
    case 'switch':
      return t('plan_changed.later', { name, date: day(data.takesEffectAt) });
    case 'pause': {
      const price = formatAmount(data.next.amount, plan, language);
      const dates = { date: day(data.takesEffectAt), until: day(data.next.at) };
      return t('paused.text', { name, price, ...dates });
    }
    case 'resume':
      return t('plan_changed.unpaused', { name });
    case 'continue':
      return t('plan_changed.kept', { name });
    default:
      return data.kind satisfies never;
  }
}

export const planChange = defineTemplate({
  data: change,
  write: (context, data) => {
    const { t, language, site } = context;
    const plan = planOf(data);
    const renewal = {
      price: formatAmount(data.next.amount, plan, language),
      date: formatDay(data.next.at, language, data.timeZone),
    };
    const credit = formatAmount(data.credit, plan, language);
    return {
      subject: heading(context, data),
      paragraphs: [
        whatHappens(context, data, plan),
        ...(data.paid > 0
          ? [t('bought.paid', { sum: formatAmount(data.paid, plan, language) })]
          : []),
        ...(data.credit > 0 ? [t('plan_changed.credit', { credit })] : []),
        plan.period === 'quarter' ? t('bought.quarter', renewal) : t('bought.month', renewal),
        t('bought.cancel'),
      ],
      action: { label: t('cancelled.action'), href: `${site}/manage` },
      footer: [
        ...(data.paid > 0 ? receiptLines(context, data, data.paid) : []),
        ...supportLine(context),
      ],
    };
  },
});

export const pauseReminder = defineTemplate({
  data: v.object({ ...moneyFields, renews: v.number() }),
  write: (context, data) => {
    const { t, language, site } = context;
    const date = formatDay(data.renews, language, data.timeZone);
    const name = planName({ ...planOf(data), introDays: 0 }, t);
    const price = formatRenewalPrice(data, language);
    return {
      subject: t('pause_ends.subject', { date }),
      paragraphs: [t('pause_ends.text', { name, price, date }), t('reminder.choice')],
      action: { label: t('reminder.action'), href: `${site}/cancel` },
      footer: supportLine(context),
    };
  },
});
