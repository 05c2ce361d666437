import { ContinueLink } from '../../islands/ui/continue-link.tsx';
import type { ScreenProps } from '../../worker/page-types.ts';
import { PageIcon } from './page-icon.tsx';
import { PageTitle } from './page-title.tsx';

/** State fields whose presence proves that a step was taken. */
export const needs = { account: 'signup.token', purchase: 'checkout.isSuccess' } as const;

export type Need = keyof typeof needs;

/** Names the missing step and links to it. */
export function MissingStep({ page, t, need }: Pick<ScreenProps, 'page' | 't'> & { need: Need }) {
  const href = need === 'account' ? page.signup : page.checkout;
  return (
    <>
      <PageIcon icon={need === 'account' ? 'mail' : 'card'} />
      <PageTitle title={t(`notice.${need}.title`)} lead={t(`notice.${need}.lead`)} />
      <ContinueLink href={href} id="missing-step" label={t(`notice.${need}.action`)} />
    </>
  );
}
