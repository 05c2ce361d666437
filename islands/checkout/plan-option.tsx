import { Price } from '../ui/price.tsx';
import card from '../ui/radio-card-box.module.css';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import styles from './plan-option.module.css';

type Props = {
  /** The plan's id; the radio's value in the form. */
  id: string;
  title: string;
  /** What follows the first payment, such as `then $39.99 every month`. Never below 14 px. */
  renewal: string;
  /** Charged today, in minor units. */
  minor: number;
  currency: string;
  language: string;
  /** Small print under the cents, such as `for 7 days`. */
  period: string;
  /** Such as `$1.00 a day`. */
  perDay?: string;
  /** A price that was really charged before, written out; shown struck. */
  oldPrice?: string;
  /** Says the struck price aloud, such as `Before: $59.99`. */
  oldPriceSpoken?: string;
  /** A banner of 18 px above the plan. */
  label?: string;
  /** The choice that the page arrives with; the field is uncontrolled after that. */
  chosen?: boolean;
  /** A narrow upright card, for three plans side by side. */
  upright?: boolean;
  name?: string;
  onChoose?: (id: string) => void;
};

/** One plan as a radio card, 82 px high. Which one is chosen is drawn by CSS, so it works before any script. */
export function PlanOption({
  id,
  title,
  renewal,
  minor,
  currency,
  language,
  period,
  perDay,
  oldPrice,
  oldPriceSpoken,
  label,
  chosen = false,
  upright = false,
  name = 'plan',
  onChoose,
}: Props) {
  return (
    <label className={`${card.card} ${styles.item} ${upright ? styles.upright : ''}`}>
      {label && <span className={styles.label}>{label}</span>}
      <span className={styles.body}>
        <input
          className={card.radio}
          type="radio"
          name={name}
          value={id}
          defaultChecked={chosen}
          required
          onChange={onChoose && (() => onChoose(id))}
        />
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          <span className={styles.renewal}>{renewal}</span>
        </span>
        <span className={styles.cost}>
          {oldPrice && (
            <s className={styles.old}>
              <span aria-hidden={oldPriceSpoken ? true : undefined}>{oldPrice}</span>
              {oldPriceSpoken && <VisuallyHidden>{oldPriceSpoken}</VisuallyHidden>}
            </s>
          )}
          <Price minor={minor} currency={currency} language={language} period={period} />
          {perDay && <span className={styles.day}>{perDay}</span>}
        </span>
      </span>
    </label>
  );
}
