import { allCountries } from '../../../islands/phone/countries.ts';
import type { Currency } from '../../catalog/rules/currencies.ts';
import { marketOf } from '../../catalog/rules/markets.ts';
import { SecondButton } from './field.tsx';
import { countryName } from './rules/names.ts';

interface Props {
  label: string;
  name: string;
  chosen: string | undefined;
  choices: readonly string[];
  /** Label of the option for all values; missing if one must be chosen. */
  all?: string;
  /** A value for people; the value itself by default. */
  textOf?: (choice: string) => string;
  problem?: string | undefined;
}

interface CountryProps extends Partial<Pick<Props, 'label' | 'name' | 'all' | 'problem'>> {
  chosen: string;
  offered?: readonly Currency[];
}

export const ChoiceField = (props: Props) => (
  <label className="field">
    <span>{props.label}</span>
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

const countries = allCountries().toSorted((one, other) =>
  countryName(one).localeCompare(countryName(other)),
);

export const CountryField = ({ chosen, offered, ...field }: CountryProps) => (
  <ChoiceField
    label="Country"
    name="country"
    {...field}
    chosen={chosen}
    choices={countries}
    textOf={(country) =>
      countryName(country) + (offered ? `, ${marketOf(country, offered).currency}` : '')
    }
  />
);

/** Submits a form that only reads data, where no script does it as soon as a choice changes. */
export const ShowButton = ({ label = 'Show' }: { label?: string }) => (
  <noscript>
    <SecondButton>{label}</SecondButton>
  </noscript>
);
