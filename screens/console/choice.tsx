import type { ReactNode } from 'react';

interface Props {
  label: ReactNode;
  name: string;
  chosen: string | undefined;
  choices: readonly string[];
  /** Label of the choice of everything; missing where one must be chosen. */
  all?: string;
}

/** A list to choose from, with its label. */
export const Choice = ({ label, name, chosen, choices, all }: Props) => (
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

/** Sends a form that only looks something up. */
export const ShowButton = () => (
  <button type="submit" className="secondary">
    Show
  </button>
);
