import type { ReactNode } from 'react';
import { countryName } from './rules/names.ts';

interface Props {
  label: ReactNode;
  name: string;
  chosen: string | undefined;
  choices: readonly string[];
  /** Label of the option for all values; missing if one must be chosen. */
  all?: string;
  /** A value for people; the value itself by default. */
  textOf?: (choice: string) => string;
  problem?: string | undefined;
}

export const ChoiceField = (props: Props) => (
  <label className="field">
    {props.label}
    <select
      name={props.name}
      defaultValue={props.chosen}
      aria-invalid={props.problem ? true : undefined}
    >
      {props.all !== undefined && <option value="">{props.all}</option>}
      {props.choices.map((choice) => (
        <option key={choice} value={choice}>
          {(props.textOf ?? String)(choice)}
        </option>
      ))}
    </select>
    {props.problem && <span className="problem-text">{props.problem}</span>}
  </label>
);

/** Countries with most of the traffic; the address takes any other code. */
const countries = [
  ...['US', 'CA', 'GB', 'IE', 'AU', 'DE', 'AT', 'CH', 'FR', 'ES', 'IT', 'NL', 'PL', 'SE'],
  ...['BR', 'MX', 'JP', 'KR', 'TR', 'UA', 'SA', 'AE'],
];

export const CountryField = ({ chosen }: { chosen: string }) => (
  <ChoiceField
    label={<span>Country</span>}
    name="country"
    chosen={chosen}
    choices={countries.includes(chosen) ? countries : [chosen, ...countries]}
    textOf={countryName}
  />
);

/** Submits a form that only reads data, where no script does it as soon as a choice changes. */
export const ShowButton = ({ label = 'Show' }: { label?: string }) => (
  <noscript>
    <button type="submit" className="secondary">
      {label}
    </button>
  </noscript>
);
