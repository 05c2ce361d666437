import * as v from 'valibot';
import { template } from '../template.ts';
import { dayIn, moneyEmail as facts, nameOf, planIn, sumIn, supportIn } from './money-fields.ts';

/** Receipt of a withdrawal, or of a claim under the guarantee: of what, and what comes back. */
export const withdrawal = template({
  data: v.object({ ...facts, back: v.number(), claimed: v.optional(v.boolean(), false) }),
  write: (desk, data) => {
    const { t, language } = desk;
    const plan = planIn(data);
    const date = dayIn(data.at, language, data.timeZone);
    const about = { name: nameOf(plan, t), date };
    return {
      subject: data.claimed ? t('withdrawn.claim_subject') : t('withdrawn.subject'),
      paragraphs: [
        data.claimed ? t('withdrawn.claim', about) : t('withdrawn.text', about),
        t('withdrawn.back', { sum: sumIn(data.back, plan, language) }),
      ],
      small: supportIn(desk),
    };
  },
});
