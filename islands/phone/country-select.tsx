import { useMemo } from 'react';
import type { Country } from './countries.ts';
import styles from './country-select.module.css';

type Props = {
  label: string;
  /** The first one is the choice that the page arrives with; the field is uncontrolled after that. */
  countries: readonly Country[];
  /** Calling code of the choice, without `+`. */
  calling: string;
  onChoose: (code: string) => void;
};

/** The country of a phone number, drawn as its calling code. */
export function CountrySelect({ label, countries, calling, onChoose }: Props) {
  // Some two hundred: they are drawn anew only when they change.
  const options = useMemo(
    () =>
      countries.map((country) => (
        <option key={country.code} value={country.code}>
          {`${country.name} (\u2066+${country.calling}\u2069)`}
        </option>
      )),
    [countries],
  );
  return (
    <span className={styles.country}>
      <span className={styles.calling} aria-hidden="true" dir="ltr">
        {`+${calling}`}
      </span>
      <select
        className={styles.select}
        name="country"
        dir="auto"
        aria-label={label}
        defaultValue={countries[0]?.code}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {options}
      </select>
    </span>
  );
}
