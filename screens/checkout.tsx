import JumpToPayment from '../islands/jump-to-payment.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import type { GatewayName } from '../worker/payments/rules/attempt.ts';
import { Layout } from './parts/layout.tsx';
import { OrderSummarySection } from './parts/order-summary.tsx';
import { PaymentSection } from './parts/payment-section.tsx';
import { PlanBar } from './parts/plan-bar.tsx';
import { PlanColumn } from './parts/plan-column.tsx';

type Props = ScreenProps & {
  /** `column`: cards below each other; `row`: upright cards side by side. */
  plans: 'column' | 'row';
  /** `card`: its form is open below the wallets. `wallets`: it opens when the visitor asks for it. */
  primaryMethod: 'card' | 'wallets';
  /** The provider that the screen prefers; null follows the route. */
  provider?: GatewayName | null;
};

/** The payment screen: plans, costs, payment methods, guarantee. */
export function Checkout({ page, t, text, plans, primaryMethod, provider = null }: Props) {
  return (
    <Layout
      page={page}
      t={t}
      scene="plan"
      band={false}
      need="account"
      bottom={
        <PlanBar page={page} t={t}>
          <Island of={JumpToPayment} when="load" label={t('checkout.go')} sectionId="methods" />
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
          />
        </>
      }
    >
      <PlanColumn page={page} t={t} text={text} narrowCards={plans === 'row'} />
    </Layout>
  );
}
