import type { ReactNode } from 'react';
import card from './radio-card.module.css';

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
    <label className={`${card.card} padded row wrap ${card.option}`}>
      <input
        className={card.radio}
        type="radio"
        name={name}
        value={value}
        defaultChecked={chosen}
      />
      <span className="strong grow">{label}</span>
      {mark}
    </label>
  );
}
