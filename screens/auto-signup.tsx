import AutoSignupForm from '../islands/auto-signup-form.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';

/** Only outside production: signs up a test account and continues with the plans. */
export function AutoSignup({ page, t, text }: ScreenProps) {
  return (
    <Layout page={page} t={t} scene="pin">
      <PageTitle title={t('test.signup.title')} lead={t('test.signup.lead')} />
      <Island of={AutoSignupForm} when="load" text={text['auto-signup-form']} />
    </Layout>
  );
}
