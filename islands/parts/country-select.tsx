import { useEffect, useRef, useState } from 'react';
import { type Country, countriesIn } from './countries.ts';
import styles from './country-select.module.css';

type Props = {
  label: string;
  /** The visitor's own country: the choice that the page arrives with, and the first. */
  own: Country;
};

/** The country of a phone number, drawn as its calling code; the others come with the script. */
export function CountrySelect({ label, own }: Props) {
  const [others, setOthers] = useState<Country[]>([]);
  const [calling, setCalling] = useState(own.calling);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    const all = countriesIn(document.documentElement.lang);
    setOthers(all.filter(({ code }) => code !== own.code));
  }, [own.code]);
  const show = () => {
    const chosen = others.find(({ code }) => code === select.current?.value);
    setCalling((chosen ?? own).calling);
  };
  return (
    <span className={styles.country}>
      <span className={styles.calling} aria-hidden="true" dir="ltr">
        {`+${calling}`}
      </span>
      <select
        ref={select}
        className={styles.select}
        name="country"
        aria-label={label}
        defaultValue={own.code}
        onChange={show}
      >
        {[own, ...others].map(({ code, name, calling: digits }) => (
          <option key={code} value={code}>
            {`${name} (+${digits})`}
          </option>
        ))}
      </select>
    </span>
  );
}
