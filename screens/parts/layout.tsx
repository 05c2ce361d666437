import type { ComponentProps, ReactNode } from 'react';
import { ContinueLink } from '../../islands/ui/continue-button.tsx';
import type { PartProps, ScreenProps } from '../../worker/rendering/page-types.ts';
import { Backdrop } from '../scene/city-map.tsx';
import { Scene, type SceneState } from '../scene/scene.tsx';
import { SmallPicture } from '../scene/small-picture.tsx';
import { Footer } from './footer.tsx';
import styles from './layout.module.css';
import { PageTitle, StepId } from './page-title.tsx';
import { Progress, proofs, stepId } from './progress.tsx';
import { Steps } from './steps.tsx';
import { TopBar } from './top-bar.tsx';

export const needs = {
  number: proofs.number,
  account: proofs.account,
  purchase: proofs.plan,
} as const;

type Need = keyof typeof needs;

const nextSteps = ['invitation', 'map'] as const;

export const NextSteps = ({ t }: Pick<Props, 't'>) => (
  <Steps
    steps={nextSteps.map((step) => ({
      title: t(`landing.steps.${step}.title`),
      text: t(`landing.steps.${step}.text`),
    }))}
  />
);

type MissingStepProps = PartProps<'flow'> & {
  need: Need;
  /** The sentence below the title, if the screen has its own. */
  lead?: string | undefined;
  /** What the screen offers after that step; by default the next steps, with null nothing. */
  offer?: ReactNode;
  picture?: ComponentProps<typeof SmallPicture>['of'] | null;
};

function MissingStep({ page, t, need, lead, offer, picture = 'map' }: MissingStepProps) {
  const { numberPath, signupPath, checkoutPath } = page.flow;
  const href = { number: numberPath, account: signupPath, purchase: checkoutPath }[need];
  return (
    <>
      <PageTitle title={t(`notice.${need}.title`)} lead={lead ?? t(`notice.${need}.lead`)} />
      <ContinueLink href={href} id="missing-step" label={t(`notice.${need}.action`)} />
      {need === 'purchase' && (
        <a className={`link-plain ${styles.known}`} href="/manage" data-navigate="">
          {t('notice.purchase.known')}
        </a>
      )}
      {offer === undefined ? (
        <section className="stack gap-20 line-above">
          <h2 className="title">{t('landing.steps.title')}</h2>
          <NextSteps t={t} />
        </section>
      ) : (
        offer
      )}
      {picture && (
        <div className={`${styles.picture} ${picture === 'map' ? styles.tall : ''}`}>
          <SmallPicture t={t} of={picture} />
        </div>
      )}
    </>
  );
}

type Props = Pick<ScreenProps, 'page' | 't'> & {
  scene: SceneState;
  /** Whether the scene's phone shows a place alert. */
  alert?: boolean | undefined;
  /** Whether phones show the scene as a band below the first block. */
  band?: boolean;
  /** Step that the screen requires; without it the loader shows a link to that step instead. */
  need?: Need;
  missing?: Pick<MissingStepProps, 'lead' | 'offer' | 'picture'>;
  /** Whether the first block is aligned at the top on desktops too, because its height changes. */
  anchored?: boolean;
  /** The first block: heading, promise, action. */
  children: ReactNode;
  /** A main button fixed to the bottom of phones; disappears with its island. */
  bottom?: ReactNode;
  /** Content below the scene on phones, below the first screenful on desktops. */
  more?: ReactNode;
  /** Whether `more` is a grid of the full width instead of one column. */
  wide?: boolean;
  /** The payment: below the plans, or from 1280 px a card over the scene. */
  order?: ReactNode;
  /** Below the payment, or from 1280 px below the plans. */
  assurance?: ReactNode;
  caption?: string | undefined;
};

const first = `${styles.column} ${styles.first}`;
const end = `${styles.column} ${styles.end}`;

/** The bar and the progress; `need` adds the progress of a visitor who skipped that step. */
function Top({ page, t, need }: Pick<Props, 'page' | 't' | 'need'>) {
  return (
    <div className={styles.column}>
      <TopBar page={page} t={t} />
      {need ? (
        <>
          <div data-with="">
            <Progress page={page} t={t} />
          </div>
          <div className={styles.missing}>
            <Progress page={page} t={t} missing={need === 'purchase' ? 'plan' : need} />
          </div>
        </>
      ) : (
        <Progress page={page} t={t} />
      )}
    </div>
  );
}

type BelowProps = Pick<Props, 'more' | 'wide' | 'order' | 'assurance' | 't'> & {
  needed: '' | undefined;
};

/** What follows the first block: content, the payment, and what assures its buyer. */
function Below({ t, more, wide = false, order, assurance, needed }: BelowProps) {
  return (
    <>
      {more && (
        <div
          className={`${styles.column} ${styles.more}${wide ? ` spread ${styles.wide}` : ''}`}
          data-with={needed}
        >
          {more}
        </div>
      )}
      {order && (
        <section
          className={`${styles.column} ${styles.more} ${styles.order}`}
          id="pay"
          tabIndex={-1}
          aria-label={t('summary.title')}
          data-with={needed}
        >
          {order}
        </section>
      )}
      {assurance && (
        <div className={`${styles.column} ${styles.assurance}`} data-with={needed}>
          {assurance}
        </div>
      )}
    </>
  );
}

/** One column on phones; a card on the map from 432 px; a column beside the full-height scene from 992 px. */
export function Layout(props: Props) {
  const { page, t, scene, band = true, need, anchored = false, bottom, order } = props;
  const needed = need && '';
  const block = anchored ? `${first} ${styles.anchored}` : first;
  const footer = <Footer page={page} t={t} />;
  const frame = [styles.frame, order && styles.paying, need && styles.needing];
  return (
    <div className={styles.page}>
      <Backdrop />
      <div className={frame.filter(Boolean).join(' ')} data-need={need && needs[need]}>
        <Top page={page} t={t} need={need} />
        <div className={block} data-with={needed}>
          <StepId value={page.flow.progress ? stepId : undefined}>{props.children}</StepId>
          {bottom && <div className={styles.bottom}>{bottom}</div>}
        </div>
        <Scene
          t={t}
          language={page.language}
          state={scene}
          band={band}
          alert={props.alert}
          caption={props.caption}
        />
        <Below {...props} needed={needed} />
        <div className={end} data-with={needed} data-foot="">
          {footer}
        </div>
        {need && (
          <div className={styles.without}>
            <div className={block}>
              <MissingStep page={page} t={t} need={need} {...props.missing} />
            </div>
            <div className={end}>{footer}</div>
          </div>
        )}
      </div>
    </div>
  );
}
