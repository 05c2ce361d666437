import { Island } from '../islands/runtime/hydration/island.tsx';
import SignInLink from '../islands/sign-in-link.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { Layout } from './parts/layout.tsx';
import { LinkPicture } from './parts/link-picture.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';

/** The page of a sign-in link: signs the visitor in and returns them to their previous page. */
export function SignInLinkScreen({ page, t, text }: ScreenProps) {
  const { email, invalid, mail, mail_sent, email_failed, ask } = text['my-account'];
  return (
    <Layout page={page} t={t} scene="mail" band={false} anchored>
      <PageTitle
        title={t('mail_link.title')}
        later={t('mail_link.later')}
        lead={t('mail_link.lead')}
        laterLead={text['sign-in-link'].missing}
      />
      <NoScript text={t('mail_link.script')} />
      <Island
        of={SignInLink}
        when="load"
        text={text['sign-in-link']}
        request={{ email, invalid, mail, mail_sent, email_failed, ask }}
        hint={t('mail_link.lead')}
      />
      <LinkPicture t={t} of="mail" />
    </Layout>
  );
}
