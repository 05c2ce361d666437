import OfferCountdown from '../islands/offer-countdown.tsx';
import PlanPicker from '../islands/plan-picker.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import type { GatewayName } from '../worker/payments/rules/attempt.ts';
import { Guarantee } from './parts/guarantee.tsx';
import { Layout } from './parts/layout.tsx';
import { NumberLocated } from './parts/number-located.tsx';
import { OfferBanner } from './parts/offer-banner.tsx';
import { OrderSummarySection } from './parts/order-summary.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { PaymentSection } from './parts/payment-section.tsx';

type Props = ScreenProps & {
  /** `column`: cards below each other; `row`: upright cards side by side. */
  plans: 'column' | 'row';
  /** Shown before the other method. */
  primaryMethod: 'card' | 'wallets';
  /** The provider that the screen forces; null uses the payment settings. */
  provider?: GatewayName | null;
};

/** The payment screen: plans, costs, payment method, legal notices. */
export function Checkout({ page, t, text, plans, primaryMethod, provider = null }: Props) {
  return (
    <Layout page={page} t={t} scene="plan" band={false} need="account">
      <OfferBanner>
        <Island of={OfferCountdown} when="idle" text={text['offer-countdown']} />
      </OfferBanner>
      <PageTitle title={t('checkout.title')} />
      <NumberLocated t={t} />
      <div
        className="stack gap-32"
        data-order=""
        data-need={page.offerExpires ? 'app.offer-active' : undefined}
      >
        <Island
          of={PlanPicker}
          when="idle"
          text={text['plan-picker']}
          plans={page.plans}
          plansAfterOffer={page.plansAfterOffer}
          offerExpires={page.offerExpires}
          language={page.language}
          narrowCards={plans === 'row'}
        />
        <OrderSummarySection page={page} t={t} text={text} />
        <PaymentSection
          page={page}
          t={t}
          text={text}
          oneClick={primaryMethod === 'wallets'}
          provider={provider}
        />
      </div>
      <Guarantee page={page} t={t} />
    </Layout>
  );
}
