import type { ReactNode } from 'react';

interface Props {
  label: ReactNode;
  name: string;
  chosen: string | undefined;
  choices: readonly string[];
  /** Label of the option for all values; missing if one must be chosen. */
  all?: string;
  /** A value for people; the value itself by default. */
  textOf?: (choice: string) => string;
}

export const ChoiceField = ({ label, name, chosen, choices, all, textOf = String }: Props) => (
  <label className="field">
    {label}
    <select name={name} defaultValue={chosen}>
      {all !== undefined && <option value="">{all}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {textOf(choice)}
        </option>
      ))}
    </select>
  </label>
);

/** Submits a form that only reads data, where no script does it as soon as a choice changes. */
export const ShowButton = ({ label = 'Show' }: { label?: string }) => (
  <noscript>
    <button type="submit" className="secondary">
      {label}
    </button>
  </noscript>
);
