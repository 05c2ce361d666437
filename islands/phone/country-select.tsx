import { useMemo } from 'react';
import type { Country } from './countries.ts';
import styles from './country-select.module.css';

type Props = {
  label: string;
  countries: readonly Country[];
  calling: string;
  onChoose: (code: string) => void;
};

export function CountrySelect({ label, countries, calling, onChoose }: Props) {
  // About two hundred options; memoised.
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
