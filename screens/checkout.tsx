import OfferCountdown from '../islands/offer-countdown.tsx';
import PlanPicker from '../islands/plan-picker.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import type { GatewayName } from '../worker/payments/rules/attempt.ts';
import styles from './checkout.module.css';
import { Guarantee } from './parts/guarantee.tsx';
import { Layout } from './parts/layout.tsx';
import { NumberLocated } from './parts/number-located.tsx';
import { OfferBanner } from './parts/offer-banner.tsx';
import { OrderSummarySection } from './parts/order-summary.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { PaymentSection } from './parts/payment-section.tsx';

type Props = ScreenProps & {
  /** Plans below each other, or upright cards side by side. */
  plans: 'column' | 'row';
  /** Which way to pay comes first. */
  primaryMethod: 'card' | 'wallets';
  /** The provider that the screen insists on; null leaves it to the payment settings. */
  provider?: GatewayName | null;
};

/** The screen that takes payment: plans, sums, card, and what the buyer must know, in this order. */
export function Checkout({ page, t, text, plans, primaryMethod, provider = null }: Props) {
  return (
    <Layout page={page} t={t} scene="plan" band={false} need="account">
      <OfferBanner>
        <Island of={OfferCountdown} when="idle" text={text['offer-countdown']} />
      </OfferBanner>
      <PageTitle title={t('checkout.title')} />
      <NumberLocated t={t} />
      <div
        className={styles.order}
        data-order=""
        data-need={page.offerExpires ? 'app.offer-active' : undefined}
      >
        <Island
          of={PlanPicker}
          when="idle"
          text={text['plan-picker']}
          plans={page.plans}
          plansAfterOffer={page.plansAfterOffer}
          ends={page.offerExpires}
          language={page.language}
          upright={plans === 'row'}
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
