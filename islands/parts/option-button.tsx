import type { ReactNode } from 'react';
import styles from './option-button.module.css';

type Props = {
  /** The form field and the value that this option stands for. */
  name: string;
  value: string;
  label: string;
  /** A mark beside the label, such as a wallet's. */
  mark?: ReactNode;
  /** The choice that the page arrives with; the field is uncontrolled after that. */
  chosen?: boolean;
  onChoose?: (value: string) => void;
};

/** One of several answers, as a card with a radio; drawn by CSS, so it works before any script. */
export function OptionButton({ name, value, label, mark, chosen = false, onChoose }: Props) {
  return (
    <label className={styles.option}>
      <input
        className={styles.radio}
        type="radio"
        name={name}
        value={value}
        defaultChecked={chosen}
        onChange={onChoose && (() => onChoose(value))}
      />
      <span className={styles.label}>{label}</span>
      {mark}
    </label>
  );
}
