import PhoneForm from '../islands/phone-form.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import { ContinueLink } from '../islands/ui/continue-button.tsx';
import type { Text } from '../locales/index.ts';
import type { TrustLabel } from '../worker/experiments/rules/trust-labels.ts';
import type { PartProps, ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './landing.module.css';
import { Benefits } from './parts/benefits.tsx';
import { Claims } from './parts/claims.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { InvitationPreview } from './parts/invitation-preview.tsx';
import { LandingStory } from './parts/landing-story.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { PlanList } from './parts/plan-list.tsx';
import { Steps } from './parts/steps.tsx';
import type { SceneState } from './scene/scene.tsx';

type Variant = 'one_pager' | 'one_pager_all' | 'one_pager_ai' | 'one_pager_l1' | 'one_pager_l2';

type Props = ScreenProps & {
  /** Selects the texts, the scene and the arguments. */
  variant: Variant;
};

const scenes: Record<Variant, SceneState> = {
  one_pager: 'number',
  one_pager_all: 'pair',
  one_pager_ai: 'alerts',
  one_pager_l1: 'number',
  one_pager_l2: 'app',
};

type Words = { t: Text };

const invite = ['number', 'invitation', 'map'] as const;
const alerts = ['yes', 'places', 'note'] as const;
const phones = [
  ['makes', 'phone'],
  ['abroad', 'travel'],
  ['answer', 'chat'],
] as const;

function InviteSteps({ t }: Words) {
  return (
    <section className="stack gap-20">
      <h2>{t('landing.steps.title')}</h2>
      <Steps
        steps={invite.map((step) => ({
          title: t(`landing.steps.${step}.title`),
          text: t(`landing.steps.${step}.text`),
        }))}
      />
    </section>
  );
}

function AlertSteps({ t }: Words) {
  return (
    <section className="stack gap-20">
      <h2>{t('landing.alerts.title')}</h2>
      <Steps
        steps={alerts.map((step) => ({
          title: t(`landing.alerts.${step}.title`),
          text: t(`landing.alerts.${step}.text`),
        }))}
      />
    </section>
  );
}

/** Supported phones and countries, and what the other person has to do. */
function PhoneFacts({ t }: Words) {
  return (
    <section className="stack gap-20">
      <h2>{t('landing.phones.title')}</h2>
      <Benefits
        items={phones.map(([fact, icon]) => ({
          icon,
          title: t(`landing.phones.${fact}.title`),
          text: t(`landing.phones.${fact}.text`),
        }))}
      />
    </section>
  );
}

function Costs({ page, t, text }: ScreenProps) {
  return (
    <section className="stack gap-16">
      <h2>{t('landing.cost.title')}</h2>
      <PlanList page={page} t={t} text={text} />
      <p className="note">{t('landing.cost.note')}</p>
      <p className="note">{t('landing.cost.refund')}</p>
    </section>
  );
}

const beginnings: Partial<Record<Variant, typeof InviteSteps>> = {
  one_pager_all: PhoneFacts,
  one_pager_ai: AlertSteps,
};

/** Arguments below the fold. */
function Argument({ page, t, text, variant }: Props) {
  const Beginning = beginnings[variant] ?? InviteSteps;
  return (
    <>
      <Beginning t={t} />
      <InvitationPreview page={page} t={t} text={text} />
      <Costs page={page} t={t} text={text} />
      {variant === 'one_pager_l2' && <LandingStory page={page} t={t} />}
      {variant !== 'one_pager_l1' && (
        <Claims page={page} t={t} className={variant === 'one_pager_l2' ? styles.claims : ''} />
      )}
      <section className={`notice row spread wrap gap-16 ${styles.closing}`}>
        <p className="strong break">{t(`landing.${variant}.title`)}</p>
        <ContinueLink href="#top" id="back-to-top" label={t('landing.again')} />
      </section>
    </>
  );
}

const signs = {
  consent: 'consent',
  confidential: 'confidential',
  ssl: 'ssl',
  refund: 'back',
  cancel: 'stop',
} as const satisfies Record<TrustLabel, IconName>;

function TrustLabels({ page, t }: PartProps<'trust'>) {
  return (
    <ul className={`gap-8 ${styles.labels}`}>
      {page.trust.map((label) => (
        <li key={label} className={`soft stack gap-4 ${styles.label}`}>
          <Icon name={signs[label]} size={20} />
          {t(`common.trust.${label}`)}
        </li>
      ))}
    </ul>
  );
}

/** The first page: one promise, one field, one button. */
export function Landing({ page, t, text, variant }: Props) {
  return (
    <Layout
      page={page}
      t={t}
      scene={scenes[variant]}
      wide
      caption={t('scene.promise')}
      more={<Argument page={page} t={t} text={text} variant={variant} />}
    >
      <PageTitle
        large
        title={t(`landing.${variant}.title`)}
        named={page.flow.hasQuestions ? t('landing.named', { name: '{{name}}' }) : undefined}
        lead={t(`landing.${variant}.lead`)}
      />
      <div className="stack gap-12">
        <Island
          of={PhoneForm}
          when="idle"
          text={text['phone-form']}
          action={page.path}
          country={page.country}
        />
        <TrustLabels page={page} t={t} />
      </div>
    </Layout>
  );
}
