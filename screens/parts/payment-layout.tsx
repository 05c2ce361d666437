import type { ReactNode } from 'react';
import { ContinueLink } from '../../islands/ui/continue-button.tsx';
import { ReviewCard } from '../../islands/ui/review-card.tsx';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { BoughtPlan } from './bought-plan.tsx';
import { Guarantee } from './guarantee.tsx';
import { Layout, needs } from './layout.tsx';
import { OrderSummarySection } from './order-summary.tsx';
import { PageTitle } from './page-title.tsx';
import styles from './payment-layout.module.css';
import { PaymentSection } from './payment-section.tsx';
import { PlanBar } from './plan-bar.tsx';
import { Assurances } from './plan-column.tsx';
import { PlanList } from './plan-list.tsx';
import { reviewsOf } from './review-section.tsx';

type Props = ScreenProps & {
  /** `card`: its form is open below the wallets. `wallets`: it opens on the visitor's request. */
  primaryMethod: 'card' | 'wallets';
  provider?: GatewayName | null;
  revealedByContinue?: boolean;
  alert?: boolean;
  moreReviews?: boolean;
  /** The fixed button that leads to the payment. */
  button: ReactNode;
  children: ReactNode;
};

function PlansOffered({ page, t, text }: ScreenProps) {
  return (
    <section className="stack gap-12 line-above">
      <h2 className="title">{t('landing.cost.title')}</h2>
      <PlanList page={page} t={t} text={text} />
      <Assurances t={t} />
    </section>
  );
}

/** A buyer who comes back finds the plan, and nothing that sells another one. */
function ActivePlan({ t, text }: Pick<Props, 't' | 'text'>) {
  return (
    <div className={`stack gap-16 top ${styles.paid}`} data-need={needs.purchase} data-missing="">
      <PageTitle title={t('upsell.active')} />
      <BoughtPlan text={text} className="card" />
      <ContinueLink id="active-plan" href="/success" label={text['upsell-offer'].onward} />
      <a className="tap center strong" href="/manage" data-navigate="">
        {t('common.manage')}
      </a>
    </div>
  );
}

/** Plans, and costs with payment below them, or beside them on wide screens. */
export function PaymentLayout(props: Props) {
  const { page, t, text, primaryMethod, provider = null, revealedByContinue = false } = props;
  const { moreReviews = false } = props;
  const reviews = reviewsOf({ page, t });
  return (
    <Layout
      page={page}
      t={t}
      scene="plan"
      alert={props.alert}
      band={false}
      need="account"
      missing={{ offer: <PlansOffered page={page} t={t} text={text} />, picture: null }}
      bottom={
        <PlanBar page={page} t={t} closed={revealedByContinue}>
          {props.button}
        </PlanBar>
      }
      order={
        <>
          <OrderSummarySection page={page} t={t} text={text} />
          <PaymentSection
            page={page}
            t={t}
            text={text}
            oneClick={primaryMethod === 'wallets'}
            provider={provider}
            revealedByContinue={revealedByContinue}
          />
        </>
      }
      assurance={
        <div className="stack gap-32">
          {reviews.slice(0, moreReviews ? 2 : 1).map((review) => (
            <ReviewCard key={review.text} item={review} />
          ))}
          <Guarantee page={page} t={t} />
        </div>
      }
    >
      {props.children}
      <ActivePlan t={t} text={text} />
    </Layout>
  );
}
