import type { ReactNode } from 'react';
import styles from './radio-card.module.css';
import card from './radio-card-box.module.css';

type Props = {
  name: string;
  value: string;
  label: ReactNode;
  mark?: ReactNode;
  chosen?: boolean;
};

/** A radio drawn as a card of 56 px by CSS, so it works before hydration. */
export function RadioCard({ name, value, label, mark, chosen = false }: Props) {
  return (
    <label className={`${card.card} row wrap ${styles.option}`}>
      <input
        className={card.radio}
        type="radio"
        name={name}
        value={value}
        defaultChecked={chosen}
      />
      <span className={styles.label}>{label}</span>
      {mark}
    </label>
  );
}
