import * as v from 'valibot';
import { defineTemplate } from '../template.ts';
import { supportLine } from './money-fields.ts';

/** In units whose plural every language writes after its preposition: nothing tells the requester's time zone here. */
const lengths = { hour: [60, 'minute'], day: [24, 'hour'], until_stopped: [30, 'day'] } as const;

const lengthText = (duration: keyof typeof lengths, language: string): string => {
  const [count, unit] = lengths[duration];
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(`${language}-u-nu-latn`, options)
    .format(count)
    .replaceAll(' ', '\u00a0');
};

/** Tells a requester that there is an answer. Neither the location nor a place is in it: the page shows it, after a sign-in. */
export const invitationAnswer = defineTemplate({
  data: v.object({
    answer: v.picklist(['yes', 'no']),
    /** The last two digits. */
    number: v.string(),
    /** Absent in messages of releases that named a time instead. */
    duration: v.optional(v.picklist(['hour', 'day', 'until_stopped'])),
  }),
  write: (context, { answer, number, duration }) => {
    const { t, site, language } = context;
    const time = duration && lengthText(duration, language);
    const lasts = time ? [t('invitation_answer.until', { time })] : [];
    return {
      subject: t(`invitation_answer.subject_${answer}`),
      paragraphs: [
        t(`invitation_answer.text_${answer}`, { number }),
        ...(answer === 'yes' ? lasts : [t('invitation_answer.why')]),
      ],
      action: { label: t(`invitation_answer.action_${answer}`), href: `${site}/manage` },
      footer: supportLine(context),
    };
  },
});
