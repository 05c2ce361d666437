import * as v from 'valibot';
import { template } from '../template.ts';

/** The way into the app, for the phone on which this mail is read. */
export const appLink = template({
  data: v.object({ code: v.string() }),
  write: ({ t, site }, { code }) => ({
    subject: t('app_link.subject'),
    paragraphs: [t('app_link.text')],
    action: { label: t('app_link.action'), href: `${site}/d#${code}` },
    small: [t('app_link.limits'), t('layout.ignore')],
  }),
});
