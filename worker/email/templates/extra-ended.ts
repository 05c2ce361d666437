import * as v from 'valibot';
import { template } from '../template.ts';
import { dayIn, moneyEmail, nameOf, planIn, supportIn } from './money-fields.ts';

/** Tells that an extra ends with its plan: until when it runs, and that nothing more is charged. */
export const extraEnded = template({
  data: v.object({ ...moneyEmail, ends: v.nullable(v.number()) }),
  write: (desk, data) => {
    const { t, language, site } = desk;
    const end = data.ends === null ? '' : dayIn(data.ends, language, data.timeZone);
    return {
      subject: t('extra_ended.subject'),
      paragraphs: [
        t('extra_ended.text', { name: nameOf(planIn(data), t) }),
        ...(end ? [t('cancelled.until', { date: end })] : []),
        t('cancelled.nothing'),
      ],
      action: { label: t('cancelled.action'), href: `${site}/manage` },
      small: supportIn(desk),
    };
  },
});
