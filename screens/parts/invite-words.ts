import type { ScreenProps } from '../../worker/rendering/page-types.ts';

const refund = { back: '', back_button: '', back_terms: '', back_link: '' };

/** The texts of invitations, without those that the page never shows. */
export const inviteWords = (
  { page, text }: Pick<ScreenProps, 'page' | 'text'>,
  refunds: boolean,
) => ({
  ...text['invite-panel'],
  ...(page.streetSource === 'google' ? { tiles_credit: '' } : { street_google: '' }),
  ...(!refunds && refund),
});
