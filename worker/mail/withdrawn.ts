import * as v from 'valibot';
import { template } from './letter.ts';
import { about, dayIn, nameOf, planIn, sumIn, supportIn } from './money-facts.ts';

/** Receipt of a withdrawal: from what, and what comes back. */
export const withdrawn = template({
  data: v.object({ ...about, back: v.number() }),
  write: (desk, data) => {
    const { t, language } = desk;
    const plan = planIn(data);
    const date = dayIn(data.at, language, data.timeZone);
    return {
      subject: t('withdrawn.subject'),
      paragraphs: [
        t('withdrawn.text', { name: nameOf(plan, t), date }),
        t('withdrawn.back', { sum: sumIn(data.back, plan, language) }),
      ],
      small: supportIn(desk),
    };
  },
});
