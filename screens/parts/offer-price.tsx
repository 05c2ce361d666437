import { Price } from '../../islands/ui/price.tsx';
import { VisuallyHidden } from '../../islands/ui/visually-hidden.tsx';
import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/plans.ts';
import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './offer-price.module.css';

type Props = Pick<ScreenProps, 'page' | 't'> & { plan: PlanView };

const names = { month: 'plans.monthly', quarter: 'plans.quarterly', once: 'upsell.once' } as const;

/** Today's price; the list price is struck through where that is allowed. */
export function OfferPrice({ page, t, plan }: Props) {
  const { currency, periodPrice, listPrice } = plan;
  const before = listPrice ? money(listPrice, currency, page.language) : '';
  return (
    <p className={`notice row wrap ${styles.price}`}>
      <span className={styles.name}>{t(names[plan.period])}</span>
      {before && (
        <s className={styles.before}>
          <span aria-hidden="true">{before}</span>
          <VisuallyHidden>{t('upsell.before', { price: before })}</VisuallyHidden>
        </s>
      )}
      <Price minor={periodPrice} currency={currency} language={page.language} />
    </p>
  );
}
