import CardForm from '../islands/card-form.tsx';
import OfferCountdown from '../islands/offer-countdown.tsx';
import PlanPicker from '../islands/plan-picker.tsx';
import { Island } from '../islands/runtime/island.tsx';
import type { ScreenProps } from '../worker/funnel/page.ts';
import styles from './checkout.module.css';
import { Frame } from './parts/frame.tsx';
import { Guarantee } from './parts/guarantee.tsx';
import { Headline } from './parts/headline.tsx';
import { Icon } from './parts/icon.tsx';
import { NumberLocated } from './parts/number-located.tsx';
import { OfferBanner } from './parts/offer-banner.tsx';
import { Orders } from './parts/orders.tsx';
import { PaymentMarks } from './parts/payment-marks.tsx';

/** The screen that takes payment: plans, sums, card, and what the buyer must know, in this order. */
export function Checkout({ page, t, text }: ScreenProps) {
  const words = text['card-form'];
  return (
    <Frame page={page} t={t} scene="plan" band={false}>
      <OfferBanner>
        <Island of={OfferCountdown} when="idle" text={text['offer-countdown']} />
      </OfferBanner>
      <Headline title={t('checkout.title')} />
      <NumberLocated t={t} />
      <div className={styles.order} data-order="">
        <Island
          of={PlanPicker}
          when="idle"
          text={text['plan-picker']}
          plans={page.plans}
          language={page.language}
        />
        <Orders page={page} t={t} />
        <section className={styles.pay}>
          <div className={styles.head}>
            <h2 className={styles.title}>{t('checkout.pay')}</h2>
            <PaymentMarks label={t('checkout.marks')} />
          </div>
          <Island
            of={CardForm}
            when="idle"
            text={page.test ? words : { ...words, test: '' }}
            plans={page.plans}
            language={page.language}
            vendors={page.vendors}
            test={page.test}
            orderButton={page.market.orderButton}
            stripe={page.stripe}
          />
          <p className={styles.fact}>{t('checkout.consent')}</p>
          <p className={styles.fact}>{t('checkout.cancel')}</p>
          <p className={styles.secure}>
            <Icon name="ssl" size={16} />
            {t('checkout.secure')}
          </p>
        </section>
      </div>
      <Guarantee page={page} t={t} />
    </Frame>
  );
}
