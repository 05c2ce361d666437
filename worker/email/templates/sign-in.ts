import * as v from 'valibot';
import { template } from '../template.ts';

/** The way back for a visitor whose e-mail has an account. */
export const signIn = template({
  data: v.object({ code: v.string() }),
  write: ({ t, site }, { code }) => ({
    subject: t('sign_in.subject'),
    paragraphs: [t('sign_in.text')],
    action: { label: t('sign_in.action'), href: `${site}/m#${code}` },
    small: [t('sign_in.limits'), t('layout.ignore')],
  }),
});
