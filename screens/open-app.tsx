import OpenApp from '../islands/open-app.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { Layout } from './parts/layout.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';

export function OpenAppScreen({ page, t, text }: ScreenProps) {
  const { email, invalid, mail, mail_sent, email_failed, ask } = text['my-account'];
  return (
    <Layout page={page} t={t} scene="link" band={false} anchored>
      <PageTitle
        title={t('open.title')}
        later={t('open.later')}
        lead={t('open.lead')}
        laterLead={text['open-app'].missing}
      />
      <NoScript text={t('mail_link.script')} />
      <Island
        of={OpenApp}
        when="load"
        text={text['open-app']}
        request={{ email, invalid, mail, mail_sent, email_failed, ask }}
        hint={t('open.hint')}
        stores={page.stores}
      />
    </Layout>
  );
}
