import { money } from '../islands/parts/money.ts';
import { Island } from '../islands/runtime/island.tsx';
import UpsellOffer from '../islands/upsell-offer.tsx';
import type { ScreenProps } from '../worker/funnel/page.ts';
import type { PlanView } from '../worker/funnel/plans.ts';
import { Benefits } from './parts/benefits.tsx';
import { Frame } from './parts/frame.tsx';
import { Headline } from './parts/headline.tsx';
import { Icon } from './parts/icon.tsx';
import styles from './upsell.module.css';

type Props = ScreenProps & { plan: PlanView };

/** One more offer after the purchase, as easy to refuse as to take. */
export function Upsell({ page, t, text, plan }: Props) {
  const price = money(plan.periodPrice, plan.currency, page.language);
  return (
    <Frame page={page} t={t} scene="app" band={false}>
      <p className={styles.active} data-paid="">
        <Icon name="consent" />
        {t('upsell.active')}
      </p>
      <Headline title={t('upsell.an_private.title')} lead={t('upsell.an_private.lead')} />
      <Benefits
        items={[
          {
            icon: 'quiet',
            title: t('upsell.an_private.anonymous.title'),
            text: t('upsell.an_private.anonymous.text'),
          },
          {
            icon: 'chat',
            title: t('upsell.an_private.chat.title'),
            text: t('upsell.an_private.chat.text'),
          },
        ]}
      />
      <div className={styles.action}>
        <p className={styles.price} data-paid="">
          {t(`upsell.price.${plan.period}`, { price })}
          {plan.period !== 'once' && ` ${t('checkout.cancel')}`}
        </p>
        <Island
          of={UpsellOffer}
          when="idle"
          text={text['upsell-offer']}
          plan={plan}
          language={page.language}
          vendors={page.vendors}
          next={page.next ?? page.first}
          orderButton={page.market.orderButton}
        />
      </div>
    </Frame>
  );
}
