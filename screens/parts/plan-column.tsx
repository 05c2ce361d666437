import OfferCountdown from '../../islands/offer-countdown.tsx';
import PlanPicker from '../../islands/plan-picker.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { money } from '../../locales/format/money.ts';
import type { Text } from '../../locales/index.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { SmallPicture } from '../scene/small-picture.tsx';
import { Icon } from './icon.tsx';
import { Included } from './included.tsx';
import { PageTitle } from './page-title.tsx';
import styles from './plan-column.module.css';
import { ReadyLine } from './stored-line.tsx';

type Props = ScreenProps & {
  /** The leading benefit with its picture; null for none. */
  hero?: 'map' | 'alerts' | null;
  narrowCards: boolean;
};

/** The countdown, shown only if its end changes the plans. */
function Offer({ page, text }: Omit<ScreenProps, 't'>) {
  const { plans, plansAfterOffer, offerExpires } = page.checkout;
  const held = plans.find(({ id }) => plansAfterOffer.every((plan) => plan.id !== id));
  if (!offerExpires || !held) return null;
  return (
    <div className={`callout center tabular ${styles.offer}`} data-need="app.offer-active">
      <Island
        of={OfferCountdown}
        when="idle"
        text={text['offer-countdown']}
        price={money(held.periodPrice, held.currency, page.language)}
      />
    </div>
  );
}

/** What a buyer wants to know before the price is paid: how a refusal, an end and the answer work. */
function Assurances({ t, promise }: { t: Text; promise: string }) {
  const lines = [t('landing.cost.refund'), t('checkout.cancel'), promise];
  return (
    <ul className="stack gap-8">
      {lines.map((line) => (
        <li key={line} className={`note beside gap-8 ${styles.assurance}`}>
          <Icon name="consent" />
          <span className="break">{line}</span>
        </li>
      ))}
    </ul>
  );
}

/** The plans and prices: on phones all of it is above the fixed button. */
export function PlanColumn(props: Props) {
  const { page, t, text, hero = null, narrowCards } = props;
  const promise = hero === 'alerts' ? t('paywall.alerts.promise') : t('scene.promise');
  return (
    <>
      <Offer page={page} text={text} />
      <div className={`stack ${styles.head}`}>
        <PageTitle title={t('checkout.title')} />
        <ReadyLine t={t} />
      </div>
      {hero && (
        <section className={`stack gap-8 ${styles.hero}`}>
          <SmallPicture t={t} of={hero} low />
          <h2 className="title">{t(`paywall.${hero}.title`)}</h2>
        </section>
      )}
      <div data-order="" data-need={page.checkout.offerExpires ? 'app.offer-active' : undefined}>
        <Island
          of={PlanPicker}
          when="idle"
          text={text['plan-picker']}
          plans={page.checkout.plans}
          plansAfterOffer={page.checkout.plansAfterOffer}
          offerExpires={page.checkout.offerExpires}
          language={page.language}
          narrowCards={narrowCards}
        />
      </div>
      <Assurances t={t} promise={promise} />
      <Included t={t} />
    </>
  );
}
