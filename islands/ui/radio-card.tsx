import type { ReactNode } from 'react';
import styles from './radio-card.module.css';
import card from './radio-card-box.module.css';

type Props = {
  /** The form field and the value that this option stands for. */
  name: string;
  value: string;
  label: ReactNode;
  /** A mark beside the label, such as a wallet's. */
  mark?: ReactNode;
  /** The choice that the page arrives with; the field is uncontrolled after that. */
  chosen?: boolean;
};

/** One of several answers, 56 px high; drawn by CSS, so it works before any script. */
export function RadioCard({ name, value, label, mark, chosen = false }: Props) {
  return (
    <label className={`${card.card} ${styles.option}`}>
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
