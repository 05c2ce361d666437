import styles from '../plan-picker.module.css';
import { Price } from '../ui/price.tsx';
import card from '../ui/radio-card.module.css';

type Props = {
  id: string;
  title: string;
  /** The text after the first payment, such as `then $39.99 every month`. At least 14 px. */
  renewal: string;
  /** The renewal's beginning in longer plans. */
  perMonth?: string;
  reminder?: string | undefined;
  intro?: boolean;
  minor: number;
  currency: string;
  language: string;
  oldPrice?: string;
  /** The screen-reader text of the old price, such as `Before: $59.99`. */
  oldPriceSpoken?: string;
  /** A badge of 18 px on the card's edge. */
  label?: string;
  /** The saving and its comparison. */
  saving?: string;
  chosen?: boolean;
  upright?: boolean;
  name?: string;
};

/** One plan as a radio card of at least 82 px. CSS draws the selection, so it works before hydration. */
export function PlanOption({
  id,
  title,
  renewal,
  perMonth = '',
  reminder,
  intro = false,
  minor,
  currency,
  language,
  oldPrice,
  oldPriceSpoken,
  label,
  saving,
  chosen = false,
  upright = false,
  name = 'plan',
}: Props) {
  return (
    <label className={`${card.card} ${styles.item} ${upright ? `top ${styles.narrow}` : ''}`}>
      {label && <span className={`strong ${styles.label}`}>{label}</span>}
      <span className={`row wrap gap-12 ${styles.body}`}>
        <input
          className={card.radio}
          type="radio"
          name={name}
          value={id}
          defaultChecked={chosen}
          required
        />
        <span className={`stack gap-2 shrink ${styles.words}`}>
          <span className={`strong ${styles.title}`}>{title}</span>
          <span className={`${intro ? 'strong' : 'small'} ${styles.renewal}`}>
            {perMonth && <span className={`strong ${styles.month}`}>{perMonth}</span>}
            <span>
              {perMonth && renewal.startsWith(perMonth)
                ? renewal.slice(perMonth.length + 1)
                : renewal}
            </span>
          </span>
        </span>
        <span className={styles.cost}>
          {oldPrice && (
            <s className="fine-print">
              <span aria-hidden={oldPriceSpoken ? true : undefined}>{oldPrice}</span>
              {oldPriceSpoken && <span className="visually-hidden">{oldPriceSpoken}</span>}
            </s>
          )}
          <Price minor={minor} currency={currency} language={language} />
          {saving && <span className={`strong ${styles.saving}`}>{saving}</span>}
          {upright && reminder && (
            <span className={`${styles.saving} ${styles.soft}`}>{reminder}</span>
          )}
        </span>
      </span>
    </label>
  );
}
