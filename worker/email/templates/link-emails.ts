import * as v from 'valibot';
import { defineTemplate } from '../template.ts';

const code = v.object({ code: v.string() });

export const signIn = defineTemplate({
  data: code,
  write: ({ t, site }, { code }) => ({
    subject: t('sign_in.subject'),
    paragraphs: [t('sign_in.text')],
    action: { label: t('sign_in.action'), href: `${site}/m#${code}` },
    footer: [t('sign_in.limits'), t('layout.ignore')],
  }),
});

export const appLink = defineTemplate({
  data: code,
  write: ({ t, site }, { code }) => ({
    subject: t('app_link.subject'),
    paragraphs: [t('app_link.text')],
    action: { label: t('app_link.action'), href: `${site}/d#${code}` },
    footer: [t('app_link.limits'), t('layout.ignore')],
  }),
});

/** Opens a page about the account for a buyer who is not signed in. */
const pageLink = (page: 'manage' | 'cancel') =>
  defineTemplate({
    data: code,
    write: ({ t, site }, { code }) => ({
      subject: t(`${page}_link.subject`),
      paragraphs: [t(`${page}_link.text`)],
      action: { label: t(`${page}_link.action`), href: `${site}/${page}#${code}` },
      footer: [t('sign_in.limits'), t('layout.ignore')],
    }),
  });

export const manageLink = pageLink('manage');
export const cancelLink = pageLink('cancel');
