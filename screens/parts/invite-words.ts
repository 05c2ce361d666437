import { linkOrAppColumns } from '../../islands/ui/link-or-app.tsx';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';

const paid = { back: '', back_button: '', back_terms: '', back_link: '', claimed: '' };
const steps = {
  send_link: '',
  waits: '',
  leave: '',
  code_title: '',
  ended: '',
  one_way: '',
  answer_free: '',
};

/** The texts of invitations, without those that the page never shows. */
export const inviteWords = (
  { page, text }: Pick<ScreenProps, 'page' | 'text'>,
  isPaid: boolean,
) => ({
  ...text['invite-panel'],
  lead: '',
  ...(page.streetSource === 'google' ? { tiles_credit: '' } : { street: '', street_google: '' }),
  // The success page has the figure in a step of its own.
  ...(isPaid
    ? { invite: '' }
    : { ...paid, ...steps, figure: linkOrAppColumns(text['app-handoff']) }),
});
