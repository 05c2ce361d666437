import { useRef, useState } from 'react';
import styles from '../phone-form.module.css';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { yieldToMain } from '../runtime/hydration/yield-to-main.ts';
import { $map } from '../stores/map.ts';
import { callingCodeOf, countriesIn, countryIn, type PhoneCountry } from './countries.ts';

/** A country's name and its calling code, which is always left to right. */
const optionText = ({ name, calling }: PhoneCountry): string => `${name} (\u2066+${calling}\u2069)`;

const optionOf = (country: PhoneCountry) => new Option(optionText(country), country.code);

/** Selects a country at once. A number that is submitted before all are listed must not be read in another country. */
function selectCountry(select: HTMLSelectElement, code: string): void {
  select.value = code;
  if (select.value === code) return;
  select.append(optionOf(countryIn(document.documentElement.lang, code)));
  select.value = code;
}

/** Lists all countries after the page's own, in tasks of their own. */
async function listCountries(select: HTMLSelectElement, own: PhoneCountry): Promise<void> {
  await yieldToMain();
  const others = countriesIn(document.documentElement.lang).filter(({ code }) => code !== own.code);
  await yieldToMain();
  const { value } = select;
  select.replaceChildren(...[...select.options].slice(0, 1), ...others.map(optionOf));
  select.value = value;
}

/** The stored number fills an empty field. A number that was typed before hydration belongs to the country that was seen. */
function restorePhone(field: HTMLInputElement, select: HTMLSelectElement): void {
  const { phone, country } = $map.get();
  if (!field.value) field.value = phone;
  if (field.value === phone && callingCodeOf(country)) selectCountry(select, country);
}

type SelectProps = {
  label: string;
  country: PhoneCountry;
  /** Another country was chosen, or all are listed and the field needs its format. */
  onChoose: () => void;
};

/** The other countries' options are added after hydration, without React, because two hundred take long. */
export function CountrySelect({ label, country, onChoose }: SelectProps) {
  const [code, setCode] = useState(country.code);
  const ref = useRef<HTMLSelectElement>(null);
  useOnHydrate(() => {
    const select = ref.current;
    const field = select?.form?.elements.namedItem('phone');
    if (!select || !(field instanceof HTMLInputElement)) return;
    restorePhone(field, select);
    setCode(select.value);
    listCountries(select, country).then(() => {
      // Formats text that was typed or autofilled before hydration.
      if (document.activeElement === field || field.value) onChoose();
    });
  });
  return (
    <span className={styles.country}>
      <span className={styles.calling} aria-hidden="true" dir="ltr">
        {`${code} +${callingCodeOf(code) || country.calling}`}
      </span>
      <select
        ref={ref}
        className={styles.select}
        name="country"
        dir="auto"
        aria-label={label}
        defaultValue={country.code}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          onChoose();
        }}
      >
        <option value={country.code}>{optionText(country)}</option>
      </select>
    </span>
  );
}
