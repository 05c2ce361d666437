import * as v from 'valibot';
import { template } from '../template.ts';
import { dayIn, moneyEmail, nameOf, planIn, supportIn } from './money-fields.ts';

/** Receipt of a cancellation: what ends when. */
export const cancellation = template({
  data: v.object({ ...moneyEmail, ends: v.nullable(v.number()) }),
  write: (desk, data) => {
    const { t, language, site } = desk;
    const asked = dayIn(data.at, language, data.timeZone);
    const end = data.ends === null ? '' : dayIn(data.ends, language, data.timeZone);
    return {
      subject: t('cancelled.subject'),
      paragraphs: [
        t('cancelled.text', { name: nameOf(planIn(data), t), date: asked }),
        ...(end ? [t('cancelled.until', { date: end })] : []),
        t('cancelled.nothing'),
      ],
      action: { label: t('cancelled.action'), href: `${site}/manage` },
      small: supportIn(desk),
    };
  },
});
