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

/** Proves the mailbox: by the digits, typed where they were asked for, or by the button. */
export const confirmEmail = defineTemplate({
  data: v.object({ code: v.string(), digits: v.string() }),
  write: ({ t, site }, { code, digits }) => ({
    subject: t('confirm_email.subject', { code: digits }),
    title: t('confirm_email.title'),
    paragraphs: [t('confirm_email.text')],
    code: [digits, t('confirm_email.valid')],
    action: { label: t('confirm_email.action'), href: `${site}/m#${code}` },
    about: t('confirm_email.limits'),
    footer: [t('confirm_email.secret'), t('layout.ignore')],
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
