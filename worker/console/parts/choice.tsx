import type { ReactNode } from 'react';

interface Props {
  label: ReactNode;
  name: string;
  chosen: string | undefined;
  choices: readonly string[];
  /** Label of the option for all values; missing if one must be chosen. */
  all?: string;
}

export const ChoiceField = ({ label, name, chosen, choices, all }: Props) => (
  <label className="field">
    {label}
    <select name={name} defaultValue={chosen}>
      {all !== undefined && <option value="">{all}</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  </label>
);

/** Submits a form that only reads data. */
export const ShowButton = () => (
  <button type="submit" className="secondary">
    Show
  </button>
);
