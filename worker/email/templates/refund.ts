import * as v from 'valibot';
import { template } from '../template.ts';
import { dayIn, moneyEmail, nameOf, planIn, sumIn, supportIn } from './money-fields.ts';

/** Receipt of a refund. */
export const refund = template({
  data: v.object({ ...moneyEmail, back: v.number() }),
  write: (desk, data) => {
    const { t, language } = desk;
    const plan = planIn(data);
    const sum = sumIn(data.back, plan, language);
    const date = dayIn(data.at, language, data.timeZone);
    return {
      subject: t('refunded.subject'),
      paragraphs: [t('refunded.text', { sum, name: nameOf(plan, t), date }), t('refunded.bank')],
      small: supportIn(desk),
    };
  },
});
