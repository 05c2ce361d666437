import { ContinueLink } from '../../islands/ui/continue-link.tsx';
import type { ScreenProps } from '../../worker/page-types.ts';
import { Sign } from './page-icon.tsx';
import { Headline } from './page-title.tsx';

/** Fields of the visitor's state whose presence says that the step was taken. */
export const needs = { account: 'signup.token', purchase: 'checkout.isSuccess' } as const;

export type Need = keyof typeof needs;

/** Says which step comes first, and leads there. */
export function ComesFirst({ page, t, need }: Pick<ScreenProps, 'page' | 't'> & { need: Need }) {
  const href = need === 'account' ? page.signup : page.checkout;
  return (
    <>
      <Sign icon={need === 'account' ? 'mail' : 'card'} />
      <Headline title={t(`notice.${need}.title`)} lead={t(`notice.${need}.lead`)} />
      <ContinueLink href={href} id="comes-first" label={t(`notice.${need}.action`)} />
    </>
  );
}
