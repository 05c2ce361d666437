import * as v from 'valibot';
import { defineTemplate, type TemplateContext } from '../template.ts';
import { formatAmount, moneyFields, planName, planOf, supportLine } from './money-fields.ts';

const data = v.object({ ...moneyFields, amount: v.number() });

const facts = ({ t, language }: TemplateContext, about: v.InferOutput<typeof data>) => {
  const plan = planOf(about);
  return { sum: formatAmount(about.amount, plan, language), name: planName(plan, t) };
};

const ownPurchases = ({ t, site }: TemplateContext) => ({
  label: t('cancelled.action'),
  href: `${site}/manage`,
});

export const debitProcessing = defineTemplate({
  data,
  write: (context, about) => {
    const { t } = context;
    return {
      subject: t('debit_processing.subject'),
      paragraphs: [
        t('debit_processing.text', facts(context, about)),
        t('debit_processing.access'),
        t('debit_processing.next'),
      ],
      action: ownPurchases(context),
      footer: supportLine(context),
    };
  },
});

export const debitFailed = defineTemplate({
  data,
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
