import { PerPlan } from '../islands/checkout/per-plan.tsx';
import OfferCountdown from '../islands/offer-countdown.tsx';
import PlanPicker from '../islands/plan-picker.tsx';
import RevealCheckout from '../islands/reveal-checkout.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { Text } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/plans.ts';
import type { ScreenProps } from '../worker/page-types.ts';
import { Claims } from './parts/claims.tsx';
import { Guarantee } from './parts/guarantee.tsx';
import { Icon } from './parts/icon.tsx';
import { Layout } from './parts/layout.tsx';
import { OfferBanner } from './parts/offer-banner.tsx';
import { OrderSummarySection } from './parts/order-summary.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { PaymentSection } from './parts/payment-section.tsx';
import { planLine } from './parts/plan-labels.ts';
import { ReviewSection } from './parts/review-section.tsx';
import styles from './paywall.module.css';
import { SmallPicture } from './scene/small-picture.tsx';

type Props = ScreenProps & {
  /** The leading benefit; null for none. */
  hero: 'map' | 'alerts' | null;
  /** Whether reviews are shown above the plans. */
  reviews: boolean;
  /** Shown before the other method. */
  primaryMethod: 'card' | 'wallets';
};

const features = ['live', 'history', 'places', 'checkin', 'sos', 'groups'] as const;

function PlanFeatures({ t }: { t: Text }) {
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('paywall.combo.title')}</h2>
      <ul className={styles.features}>
        {features.map((feature) => (
          <li key={feature} className={`small beside gap-8 ${styles.feature}`}>
            <Icon name="consent" size={16} />
            {t(`features.${feature}.title`)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The selected plan's price and renewal in one line above the button. */
function PlanPriceLines({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const line = (plan: PlanView) => (
    <p key={plan.id} className={`small tabular ${styles.line}`}>
      {planLine(plan, t, page.language)}
    </p>
  );
  return (
    <div className={styles.lines}>
      <PerPlan offer={page.plans.map(line)} plansAfterOffer={page.plansAfterOffer.map(line)} />
    </div>
  );
}

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
          <SmallPicture t={t} of={hero} />
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
