import * as v from 'valibot';
import { defineTemplate } from '../template.ts';
import { supportLine } from './money-fields.ts';

/** Nothing tells the requester's time zone here. No line ends within a day or a time. */
const moment = (at: number, language: string): string => {
  const [day, clock] = [
    { day: 'numeric', month: 'long' } as const,
    { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const,
  ].map((parts) =>
    new Intl.DateTimeFormat(`${language}-u-nu-latn`, { ...parts, timeZone: 'UTC' })
      .format(at)
      .replaceAll(' ', '\u00a0'),
  );
  return `${day}, ${clock}`;
};

/** Tells a requester that there is an answer. Neither the location nor a place is in it: the page shows it, after a sign-in. */
export const invitationAnswer = defineTemplate({
  data: v.object({
    answer: v.picklist(['yes', 'no']),
    /** The last two digits. */
    number: v.string(),
  }),
  write: (context, { answer, number }) => {
    const { t, site, until } = context;
    const date = until === null ? '' : moment(until, context.language);
    return {
      subject: t(`invitation_answer.subject_${answer}`),
      paragraphs: [
        t(`invitation_answer.text_${answer}`, { number }),
        answer === 'yes' ? t('invitation_answer.until', { date }) : t('invitation_answer.why'),
      ],
      action: { label: t(`invitation_answer.action_${answer}`), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});
