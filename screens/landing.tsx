import PhoneForm from '../islands/phone-form.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import { ContinueLink } from '../islands/ui/continue-link.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { Claims } from './parts/claims.tsx';
import { AlertSteps, InviteSteps, PhoneFacts } from './parts/landing-arguments.tsx';
import { LandingStory } from './parts/landing-story.tsx';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { TrustLabels } from './parts/trust-labels.tsx';
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

/** Arguments below the fold; none where the page is the field alone. */
function Argument({ page, t, variant }: Omit<Props, 'text'>) {
  return (
    <>
      {variant === 'one_pager_all' && <PhoneFacts t={t} />}
      {variant === 'one_pager_ai' ? <AlertSteps t={t} /> : <InviteSteps t={t} />}
      <Claims page={page} t={t} />
      {variant === 'one_pager_l2' && (
        <>
          <LandingStory page={page} t={t} />
          <ContinueLink href="#top" id="back-to-top" label={t('landing.again')} />
        </>
      )}
    </>
  );
}

/** The first page: one promise, one field, one button. */
export function Landing({ page, t, text, variant }: Props) {
  const bare = variant === 'one_pager_l1';
  return (
    <Layout
      page={page}
      t={t}
      scene={scenes[variant]}
      band={!bare}
      centred={bare}
      more={!bare && <Argument page={page} t={t} variant={variant} />}
    >
      <PageTitle
        title={t(`landing.${variant}.title`)}
        lead={variant === 'one_pager_l1' ? undefined : t(`landing.${variant}.lead`)}
      />
      <div className="stack gap-12">
        <Island
          of={PhoneForm}
          when="idle"
          text={text['phone-form']}
          action={page.path}
          country={page.country}
        />
        <TrustLabels t={t} />
      </div>
    </Layout>
  );
}
