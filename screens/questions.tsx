import QuestionsForm from '../islands/questions-form.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { drawings } from './parts/icon.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';

const signs = {
  child: drawings.school,
  parent: drawings.home,
  partner: drawings.heart,
  friend: drawings.chat,
  arrival: drawings.pin,
  meeting: drawings.people,
  outing: drawings.sun,
  everyday: drawings.confidential,
};

/** Asks whom to reach and what matters; the answers shape later screens. */
export function Questions({ page, t, text }: ScreenProps) {
  return (
    <Layout page={page} t={t} scene="number" band={false}>
      <PageTitle title={t('questions.title')} lead={t('questions.lead')} />
      <Island
        of={QuestionsForm}
        when="load"
        text={text['questions-form']}
        action={page.path}
        signs={signs}
      />
    </Layout>
  );
}
