import * as v from 'valibot';
import { template } from '../template.ts';

/** The way to a page that is about one account, for who is not signed in. */
const linkTo = (page: 'manage' | 'cancel') =>
  template({
    data: v.object({ code: v.string() }),
    write: ({ t, site }, { code }) => ({
      subject: t(`${page}_link.subject`),
      paragraphs: [t(`${page}_link.text`)],
      action: { label: t(`${page}_link.action`), href: `${site}/${page}#${code}` },
      small: [t('sign_in.limits'), t('layout.ignore')],
    }),
  });

export const manageLink = linkTo('manage');
export const cancelLink = linkTo('cancel');
