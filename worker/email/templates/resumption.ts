import * as v from 'valibot';
import { template } from '../template.ts';
import { dayIn, moneyEmail, nameOf, planIn, renewalIn, supportIn } from './money-fields.ts';

/** Confirms that a cancellation was taken back: what renews when, for how much, and the way out. */
export const resumption = template({
  data: v.object({ ...moneyEmail, renews: v.number() }),
  write: (desk, data) => {
    const { t, language, site } = desk;
    const plan = planIn(data);
    const first = {
      price: renewalIn(data, language),
      date: dayIn(data.renews, language, data.timeZone),
    };
    const date = dayIn(data.at, language, data.timeZone);
    return {
      subject: t('resumed.subject'),
      paragraphs: [
        t('resumed.text', { name: nameOf(plan, t), date }),
        plan.period === 'quarter' ? t('bought.quarter', first) : t('bought.month', first),
        t('bought.cancel'),
      ],
      action: { label: t('bought.cancel_action'), href: `${site}/cancel` },
      small: supportIn(desk),
    };
  },
});
