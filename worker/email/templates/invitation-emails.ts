import * as v from 'valibot';
import { defineTemplate } from '../template.ts';
import { supportLine } from './money-fields.ts';

/** Tells a requester that there is an answer. Neither the location nor a place is in it: the page shows it, after a sign-in. */
export const invitationAnswer = defineTemplate({
  data: v.object({
    answer: v.picklist(['yes', 'no']),
    /** The last two digits. */
    number: v.string(),
    duration: v.picklist(['hour', 'day', 'until_stopped']),
  }),
  write: (context, { answer, number, duration }) => {
    const { t, site } = context;
    return {
      subject: t(`invitation_answer.subject_${answer}`),
      paragraphs: [
        t(`invitation_answer.text_${answer}`, { number }),
        answer === 'yes' ? t(`invitation_answer.${duration}`) : t('invitation_answer.why'),
      ],
      action: { label: t(`invitation_answer.action_${answer}`), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});
