import { Island } from '../islands/runtime/hydration/island.tsx';
import SignInLink from '../islands/sign-in-link.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { Frame } from './parts/layout.tsx';
import { NeedsScript } from './parts/no-script.tsx';
import { Headline } from './parts/page-title.tsx';

/** Where the link in a mail leads: it lets the visitor in, and on to where they stopped. */
export function MailedLink({ page, t, text }: ScreenProps) {
  return (
    <Frame page={page} t={t} scene="number" band={false}>
      <Headline title={t('mail_link.title')} lead={t('mail_link.lead')} />
      <NeedsScript text={t('mail_link.script')} />
      <Island of={SignInLink} when="load" text={text['sign-in-link']} />
    </Frame>
  );
}
