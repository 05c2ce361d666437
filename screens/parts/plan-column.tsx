import OfferCountdown from '../../islands/offer-countdown.tsx';
import PlanPicker from '../../islands/plan-picker.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { ReviewCard } from '../../islands/ui/review-card.tsx';
import { money } from '../../locales/format/money.ts';
import { sentencesOf } from '../../locales/format/sentences.ts';
import type { Text } from '../../locales/index.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { SmallPicture } from '../scene/small-picture.tsx';
import { Icon } from './icon.tsx';
import { PageTitle } from './page-title.tsx';
import styles from './plan-column.module.css';
import { planName } from './plan-labels.ts';
import { ReviewSection, reviewsOf } from './review-section.tsx';
import { ReadyLine } from './stored-line.tsx';

type Props = ScreenProps & {
  /** The leading benefit with its picture; null for none. */
  hero?: 'map' | 'alerts' | null;
  /** Whether the reviews rotate; otherwise one is shown. */
  carousel?: boolean;
  narrowCards: boolean;
  /** Whether Continue opens the payment, whose guarantee is closed until then. */
  closed?: boolean;
};

/** The countdown, shown only if its end changes the plans. */
function Offer({ page, t, text }: ScreenProps) {
  if (!page.checkout.offerExpires) return null;
  const plans = page.checkout.plansAfterOffer.map(
    (plan) => `${planName(plan, t)} ${money(plan.periodPrice, plan.currency, page.language)}`,
  );
  const list = new Intl.ListFormat(page.language, { type: 'disjunction' }).format(plans);
  return (
    <div className={`callout center tabular ${styles.offer}`} data-need="app.offer-active">
      <Island
        of={OfferCountdown}
        when="idle"
        text={text['offer-countdown']}
        after={t('checkout.after', { plans: list })}
      />
    </div>
  );
}

const ticks = [
  ['pin', 'live'],
  ['clock', 'history'],
  ['bell', 'places'],
  ['alert', 'sos'],
] as const;

function Ticks({ t }: { t: Text }) {
  return (
    <ul className={styles.ticks} aria-label={t('paywall.combo.title')}>
      {ticks.map(([icon, feature]) => (
        <li key={feature} className="small beside gap-8">
          <Icon name={icon} />
          <span className="break">{t(`features.${feature}.title`)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The plans and prices; on phones all of it is above the fixed button. */
export function PlanColumn(props: Props) {
  const { page, t, text, hero = null, carousel = false, narrowCards, closed = false } = props;
  const [review] = reviewsOf({ page, t });
  const promise = (
    <p className={`soft ${styles.lead}`}>
      {sentencesOf(hero === 'alerts' ? t('paywall.alerts.promise') : t('scene.promise')).map(
        (sentence) => (
          <span key={sentence} className={styles.sentence}>
            {sentence}
          </span>
        ),
      )}
    </p>
  );
  return (
    <>
      <Offer page={page} t={t} text={text} />
      <div className={`stack ${styles.promise}`}>
        <PageTitle title={t('checkout.title')} />
        {!hero && promise}
      </div>
      {hero && (
        <section className={`stack gap-12 ${styles.hero}`}>
          <SmallPicture t={t} of={hero} low />
          <div className={`stack ${styles.promise}`}>
            <h2 className="title">{t(`paywall.${hero}.title`)}</h2>
            {promise}
          </div>
        </section>
      )}
      <div className="stack gap-12">
        <ReadyLine t={t} />
        {!hero && <Ticks t={t} />}
      </div>
      {carousel ? (
        <ReviewSection page={page} t={t} text={text} />
      ) : (
        review && <ReviewCard item={review} />
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
      {closed && (
        <p className={`note beside gap-8 ${styles.consent}`}>
          <Icon name="confidential" />
          {t('checkout.consent')}
        </p>
      )}
    </>
  );
}
