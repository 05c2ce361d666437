import OfferCountdown from '../islands/offer-countdown.tsx';
import PlanPicker from '../islands/plan-picker.tsx';
import RevealCheckout from '../islands/reveal-checkout.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import { Claims } from './parts/claims.tsx';
import { Guarantee } from './parts/guarantee.tsx';
import { Layout } from './parts/layout.tsx';
import { OfferBanner } from './parts/offer-banner.tsx';
import { OrderSummarySection } from './parts/order-summary.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { PaymentSection } from './parts/payment-section.tsx';
import { PlanFeatures } from './parts/plan-features.tsx';
import { PlanPriceLines } from './parts/plan-price-lines.tsx';
import { ReviewSection } from './parts/review-section.tsx';
import styles from './paywall.module.css';
import { Vignette } from './scene/vignette.tsx';

type Props = ScreenProps & {
  /** The leading benefit; null for none. */
  hero: 'map' | 'alerts' | null;
  /** Whether reviews are shown above the plans. */
  reviews: boolean;
  /** Shown before the other method. */
  primaryMethod: 'card' | 'wallets';
};

/** Plans first; Continue opens costs and payment below them. */
export function Paywall({ page, t, text, hero, reviews, primaryMethod }: Props) {
  return (
    <Layout
      page={page}
      t={t}
      scene="plan"
      band={false}
      need="account"
      bottom={
        <>
          <PlanPriceLines page={page} t={t} />
          <Island of={RevealCheckout} when="load" text={text['reveal-checkout']} sectionId="pay" />
        </>
      }
    >
      <OfferBanner>
        <Island of={OfferCountdown} when="idle" text={text['offer-countdown']} />
      </OfferBanner>
      <PageTitle title={t('checkout.title')} />
      {hero ? (
        <section className={`stack gap-4 ${styles.hero}`}>
          <Vignette t={t} of={hero} />
          <h2>{t(`paywall.${hero}.title`)}</h2>
          <p className="note">{t(`paywall.${hero}.text`)}</p>
        </section>
      ) : (
        <PlanFeatures t={t} />
      )}
      {reviews && <ReviewSection page={page} t={t} text={text} />}
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
          narrowCards
        />
        <section
          className={`stack gap-32 ${styles.pay}`}
          id="pay"
          tabIndex={-1}
          aria-label={t('checkout.pay')}
        >
          <OrderSummarySection page={page} t={t} text={text} />
          <PaymentSection
            page={page}
            t={t}
            text={text}
            oneClick={primaryMethod === 'wallets'}
            revealedByContinue
          />
        </section>
      </div>
      {reviews && <Claims page={page} t={t} />}
      <Guarantee page={page} t={t} />
    </Layout>
  );
}
