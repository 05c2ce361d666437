import { type LinkOrAppText, linkOrAppColumns } from '../../islands/ui/link-or-app.tsx';
import type { IslandText } from '../../locales/index.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';

const paid = { back: '', back_button: '', back_terms: '', back_link: '', claimed: '' };
const steps = {
  send_link: '',
  send_message: '',
  goes_out: '',
  night: '',
  kept_waits: '',
  kept_night: '',
  confirm_send: '',
  mail_done: '',
  own_how: '',
  own_ready: '',
  leave: '',
  leave_first: '',
  answer_mail: '',
  answer_how: '',
  see_then: '',
  ended_time: '',
  ended_invitee: '',
  ended_requester: '',
  gone: '',
  agreed: '',
  one_way: '',
  answer_free: '',
};

/** The texts of the app's step, without the figure beside a link. */
export function withoutColumns(
  text: IslandText['app-handoff'],
): Omit<typeof text, keyof LinkOrAppText> {
  const { link, link_position, link_once, link_free, app, app_live, app_both, app_free, ...rest } =
    text;
  return rest;
}

/** The texts of invitations, without those that the page never shows. */
export function inviteWords({ page, text }: Pick<ScreenProps, 'page' | 'text'>, isPaid: boolean) {
  const words = {
    ...text['invite-panel'],
    lead: '',
    ...(page.streetSource === 'google' ? { tiles_credit: '' } : { street: '', street_google: '' }),
    ...(isPaid ? { yours: '' } : { ...paid, ...steps }),
  };
  const shown = Object.fromEntries(Object.entries(words).filter(([, words]) => words !== ''));
  return {
    ...(shown as typeof words),
    // The success page shows it after a yes only.
    ...(!isPaid && { figure: linkOrAppColumns(text['app-handoff']) }),
  };
}
