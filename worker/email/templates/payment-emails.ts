import * as v from 'valibot';
import { latin } from '../../../locales/format/numerals.ts';
import { planLabel } from '../plan-label.ts';
import { defineTemplate, type TemplateContext } from '../template.ts';
import { formatAmount, longDay, moneyFields, supportLine } from './money-fields.ts';

/** The consumer adds the code of a link that opens the card page alone. */
const cardFields = { ...moneyFields, attempt: v.string(), code: v.string() };

const cardLink = (context: TemplateContext, code: string) => ({
  action: {
    label: context.t('renewal_failed.action'),
    href: `${context.site}/manage/card#${code}`,
  },
  footer: [
    context.t('renewal_failed.limits'),
    context.t('renewal_failed.later', { address: `${context.site}/manage` }),
    ...supportLine(context),
  ],
});

export const renewalFailed = defineTemplate({
  data: v.object({
    ...cardFields,
    step: v.picklist(['failed', 'middle', 'last']),
    amount: v.number(),
    until: v.nullable(v.number()),
  }),
  write: (context, data) => {
    const { t, language } = context;
    const { plan, until } = data;
    const date = until === null ? '' : longDay(until, language, data.timeZone);
    const sum = formatAmount(data.amount, plan, language);
    return {
      subject: t(`renewal_failed.subject_${data.step}`, { date }),
      paragraphs: [
        t('renewal_failed.text', { sum, name: planLabel(plan, context) }),
        ...(until === null ? [] : [t('renewal_failed.until', { date })]),
      ],
      ...cardLink(context, data.code),
    };
  },
});

export const cardExpires = defineTemplate({
  data: v.object({ ...cardFields, card: v.string(), year: v.number(), month: v.number() }),
  write: (context, data) => {
    const { t, language } = context;
    const style = { ...latin, month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    const end = Date.UTC(data.year, data.month - 1, 1);
    const month = new Intl.DateTimeFormat(language, style).format(end);
    const name = planLabel(data.plan, context);
    return {
      subject: t('card_expires.subject'),
      paragraphs: [
        t('card_expires.text', { card: data.card, month, name }),
        t('card_expires.choice'),
      ],
      ...cardLink(context, data.code),
    };
  },
});

const debit = v.object({ ...moneyFields, amount: v.number() });

const facts = (context: TemplateContext, about: v.InferOutput<typeof debit>) => {
  const { plan } = about;
  return {
    sum: formatAmount(about.amount, plan, context.language),
    name: planLabel(plan, context),
  };
};

const ownPurchases = ({ t, site }: TemplateContext) => ({
  label: t('cancellation.action'),
  href: `${site}/manage`,
});

export const debitProcessing = defineTemplate({
  // Missing in messages that an older build queued.
  data: v.object({ ...debit.entries, waits: v.optional(v.boolean(), false) }),
  write: (context, about) => {
    const { t } = context;
    return {
      subject: t('debit_processing.subject'),
      paragraphs: [
        t('debit_processing.text', facts(context, about)),
        t(`debit_processing.${about.waits ? 'access_later' : 'access'}`),
        t('debit_processing.next'),
      ],
      action: ownPurchases(context),
      footer: supportLine(context),
    };
  },
});

export const debitFailed = defineTemplate({
  data: debit,
  write: (context, about) => {
    const { t } = context;
    return {
      subject: t('debit_failed.subject'),
      paragraphs: [t('debit_failed.text', facts(context, about)), t('debit_failed.access')],
      action: ownPurchases(context),
      footer: supportLine(context),
    };
  },
});
