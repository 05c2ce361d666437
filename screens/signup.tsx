import EmailForm from '../islands/email-form.tsx';
import GoogleButton from '../islands/google-button.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { Text } from '../locales/index.ts';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { Layout } from './parts/layout.tsx';
import { NumberLocated } from './parts/number-located.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { ReviewSection } from './parts/review-section.tsx';
import { LinkedText } from './parts/rich-text.tsx';
import styles from './signup.module.css';

type Props = ScreenProps & {
  /** Whether reviews follow the form. */
  reviews: boolean;
};

const relations = ['child', 'parent', 'partner', 'friend'] as const;

const titlesOf = (t: Text) =>
  Object.fromEntries(relations.map((relation) => [relation, t(`signup.to.${relation}`)]));

export function Signup({ page, t, text, reviews }: Props) {
  return (
    <Layout page={page} t={t} scene="pin">
      {page.flow.progress?.steps.includes('number') !== false && (
        <NumberLocated t={t} first={page.flow.numberPath} />
      )}
      <PageTitle
        title={t('signup.title')}
        lead={t('signup.lead')}
        withoutNumber={t('signup.first')}
        byAnswer={page.flow.hasQuestions ? titlesOf(t) : undefined}
        named={page.flow.hasQuestions ? t('signup.to.named', { name: '{{name}}' }) : undefined}
      />
      <div className={`stack gap-16 ${styles.form}`}>
        <Island
          of={EmailForm}
          when="idle"
          text={text['email-form']}
          action={page.path}
          shortcuts={page.market.shortcuts}
        />
        {(page.googleClientId || page.isTestMode) && (
          <Island
            of={GoogleButton}
            when="idle"
            text={text['google-button']}
            clientId={page.googleClientId}
            vendors={page.fakesPath}
            language={page.language}
          />
        )}
        <p className="note">
          <LinkedText
            text={t('signup.agree', {
              terms: '[{{terms}}](terms)',
              privacy: '[{{privacy}}](privacy)',
            })}
            links={page.legal}
            facts={{ terms: t('signup.terms'), privacy: t('signup.privacy') }}
          />
        </p>
      </div>
      {reviews && <ReviewSection page={page} t={t} text={text} />}
    </Layout>
  );
}
