import RevealCheckout from '../islands/reveal-checkout.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { Layout } from './parts/layout.tsx';
import { OrderSummarySection } from './parts/order-summary.tsx';
import { PaymentSection } from './parts/payment-section.tsx';
import { PlanBar } from './parts/plan-bar.tsx';
import { PlanColumn } from './parts/plan-column.tsx';

type Props = ScreenProps & {
  /** The leading benefit; null for none. */
  hero: 'map' | 'alerts' | null;
  /** Whether all reviews are shown above the plans. */
  reviews: boolean;
  /** `card`: its form is open below the wallets. `wallets`: it opens when the visitor asks for it. */
  primaryMethod: 'card' | 'wallets';
};

/** Plans first; Continue opens costs and payment below them, or beside them on wide screens. */
export function Paywall({ page, t, text, hero, reviews, primaryMethod }: Props) {
  return (
    <Layout
      page={page}
      t={t}
      scene="plan"
      band={false}
      need="account"
      bottom={
        <PlanBar page={page} t={t}>
          <Island of={RevealCheckout} when="load" text={text['reveal-checkout']} sectionId="pay" />
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
            revealedByContinue
          />
        </>
      }
    >
      <PlanColumn page={page} t={t} text={text} hero={hero} carousel={reviews} narrowCards />
    </Layout>
  );
}
