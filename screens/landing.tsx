import { ContinueLink } from '../islands/parts/continue-link.tsx';
import PhoneForm from '../islands/phone-form.tsx';
import { Island } from '../islands/runtime/island.tsx';
import type { ScreenProps } from '../worker/funnel/page.ts';
import styles from './landing.module.css';
import { Frame } from './parts/frame.tsx';
import { Headline } from './parts/headline.tsx';
import { LandingStory } from './parts/landing-story.tsx';
import { Steps } from './parts/steps.tsx';
import { TrustLabels } from './parts/trust-labels.tsx';

type Props = ScreenProps & {
  /** Which promise the page makes; the words are the variant's. */
  variant: 'one_pager' | 'one_pager_all' | 'one_pager_ai' | 'one_pager_l1' | 'one_pager_l2';
  /** `bare`: the field and the button; `steps`: also how it works; `long`: also costs and questions. */
  extent: 'bare' | 'steps' | 'long';
};

const steps = ['number', 'invitation', 'map'] as const;

/** The first page: one promise, one field, one button. */
export function Landing({ page, t, text, variant, extent }: Props) {
  const more = extent !== 'bare' && (
    <>
      <section className={styles.section}>
        <h2>{t('landing.steps.title')}</h2>
        <Steps
          steps={steps.map((step) => ({
            title: t(`landing.steps.${step}.title`),
            text: t(`landing.steps.${step}.text`),
          }))}
        />
      </section>
      {extent === 'long' && <LandingStory page={page} t={t} />}
      {extent === 'long' && <ContinueLink href="#top" id="again" label={t('landing.again')} />}
    </>
  );
  return (
    <Frame page={page} t={t} scene="number" band={extent !== 'bare'} more={more}>
      <Headline
        title={t(`landing.${variant}.title`)}
        lead={variant === 'one_pager_l1' ? undefined : t(`landing.${variant}.lead`)}
      />
      <div className={styles.action}>
        <Island
          of={PhoneForm}
          when="idle"
          text={text['phone-form']}
          action={page.path}
          country={page.country}
        />
        <TrustLabels t={t} />
      </div>
    </Frame>
  );
}
