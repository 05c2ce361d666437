import * as v from 'valibot';
import { template } from '../template.ts';
import { dayIn, moneyEmail, renewalIn, supportIn } from './money-fields.ts';

/** Tells the day before what an intro becomes. */
export const renewalReminder = template({
  data: v.object({ ...moneyEmail, renews: v.number() }),
  write: (desk, data) => {
    const { t, language, site } = desk;
    const date = dayIn(data.renews, language, data.timeZone);
    const price = renewalIn(data, language);
    return {
      subject: t('reminder.subject', { date }),
      paragraphs: [t('reminder.text', { price, date }), t('reminder.choice')],
      action: { label: t('reminder.action'), href: `${site}/cancel` },
      small: supportIn(desk),
    };
  },
});
