import PlanPicker from '../../islands/plan-picker.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import type { Text } from '../../locales/index.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { SmallPicture } from '../scene/small-picture.tsx';
import { Icon } from './icon.tsx';
import { Included } from './included.tsx';
import { PageTitle } from './page-title.tsx';
import styles from './plan-column.module.css';
import { cyclesOf } from './plan-labels.ts';
import { ReadyLine } from './stored-line.tsx';

type Props = ScreenProps & {
  /** The leading benefit, which is the title; null for none. */
  hero?: 'map' | 'alerts' | null;
  narrowCards: boolean;
};

/** What a buyer wants to know before the price is paid: how a refusal and an end work. */
export function Assurances({ t }: { t: Text }) {
  return (
    <ul className={`stack gap-8 ${styles.assurances}`}>
      {[t('landing.cost.refund'), t('checkout.cancel')].map((line) => (
        <li key={line} className="note beside gap-8">
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
  const { hold, after, over, free_one, free_other, old_price, ...words } = text['plan-picker'];
  const { plans, plansAfterOffer } = page.checkout;
  const all = [...plans, ...plansAfterOffer];
  const isFree = all.some((plan) => plan.introDays && !plan.periodPrice);
  const hadOther = all.some(({ listPrice }) => listPrice);
  return (
    <>
      <div className={`stack ${styles.head}`}>
        <PageTitle title={hero ? t(`paywall.${hero}.title`) : t('checkout.title')} />
        <ReadyLine t={t} />
      </div>
      {hero === 'alerts' && (
        <div className={styles.hero}>
          <SmallPicture t={t} of={hero} low />
        </div>
      )}
      <div
        id="plans"
        data-order=""
        data-need={page.checkout.offerExpires ? 'app.offer-active' : undefined}
      >
        <Island
          of={PlanPicker}
          when="idle"
          text={{
            ...words,
            ...(isFree && { free_one, free_other }),
            ...(hadOther && { old_price }),
          }}
          deadline={page.checkout.offerExpires ? { hold, after, over } : undefined}
          cycles={cyclesOf(page.checkout, t)}
          plans={plans}
          plansAfterOffer={plansAfterOffer}
          language={page.language}
          reminder={t('summary.reminder')}
          freeReminder={isFree ? t('summary.reminder_week') : undefined}
          narrowCards={narrowCards}
        />
      </div>
      <Assurances t={t} />
      <Included t={t} />
    </>
  );
}
