import { useStore } from '@nanostores/react';
import { type FormEvent, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { type Country, callingCodeOf, countriesIn, countryIn } from './phone/countries.ts';
import { looksLikePhone } from './phone/dialled-digits.ts';
import { setPhone } from './phone/entered-phone.ts';
import { leaveNumber } from './phone/leave-number.ts';
import {
  handlePhoneBlur,
  handlePhoneInput,
  isImpossible,
  preparePhoneField,
} from './phone/phone-field.ts';
import styles from './phone-form.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { yieldToMain } from './runtime/hydration/yield-to-main.ts';
import { $map, rejectPhone } from './stores/map.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Field, inputClass } from './ui/field.tsx';

/** A country's name and its calling code, which is always left to right. */
const optionText = ({ name, calling }: Country): string => `${name} (\u2066+${calling}\u2069)`;

const optionOf = (country: Country) => new Option(optionText(country), country.code);

/** Selects a country at once. A number that is submitted before all are listed must not be read in another country. */
function selectCountry(select: HTMLSelectElement, code: string): void {
  select.value = code;
  if (select.value === code) return;
  select.append(optionOf(countryIn(document.documentElement.lang, code)));
  select.value = code;
}

/** Lists all countries after the page's own, in tasks of their own. */
async function listCountries(select: HTMLSelectElement, own: Country): Promise<void> {
  await yieldToMain();
  const others = countriesIn(document.documentElement.lang).filter(({ code }) => code !== own.code);
  await yieldToMain();
  const { value } = select;
  select.replaceChildren(...[...select.options].slice(0, 1), ...others.map(optionOf));
  select.value = value;
}

type SelectProps = {
  label: string;
  country: Country;
  calling: string;
  onChoose: (code: string) => void;
};

/** The other countries' options are added after hydration, without React, because two hundred take long. */
export function CountrySelect({ label, country, calling, onChoose }: SelectProps) {
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
        defaultValue={country.code}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value={country.code}>{optionText(country)}</option>
      </select>
    </span>
  );
}

/** A prefetched screen appears within this time, ms; a loading state would only delay it. */
const prefetchWaitMs = 100;

interface Props {
  text: IslandText['phone-form'];
  action: string;
  country: Country;
}

/** The form for the number. Submitting never waits for the lookup, which runs on the next screen. */
export default function PhoneForm({ text, action, country }: Props) {
  const { phoneError } = useStore($map, { keys: ['phoneError'], ssr: 'initial' });
  const [pending, setPending] = useState(false);
  const [calling, setCalling] = useState(country.calling);
  const input = useRef<HTMLInputElement>(null);
  useOnHydrate(() => {
    const field = input.current;
    const select = field?.form?.elements.namedItem('country');
    if (!field || !(select instanceof HTMLSelectElement)) return;
    const { phone, country: stored } = $map.get();
    if (!field.value) field.value = phone;
    // A number that was typed before hydration belongs to the country that the visitor saw.
    if (field.value === phone && callingCodeOf(stored)) selectCountry(select, stored);
    setCalling(callingCodeOf(select.value));
    listCountries(select, country).then(() => {
      // Formats text that was typed or autofilled before hydration.
      if (document.activeElement === field || field.value) preparePhoneField(field);
    });
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const phone = String(fields.get('phone')).trim();
    const chosen = String(fields.get('country'));
    if (!looksLikePhone(phone) || (await isImpossible(phone, chosen))) {
      rejectPhone(text.invalid);
      input.current?.focus();
      return;
    }
    setPhone(phone, chosen);
    const late = setTimeout(() => setPending(true), prefetchWaitMs);
    await leaveNumber();
    clearTimeout(late);
    setPending(false);
  };
  return (
    <form className="stack gap-4" method="post" action={action} noValidate onSubmit={submit}>
      <Field id="phone" label={text.phone} dir="ltr" error={phoneError}>
        <CountrySelect
          label={text.country}
          country={country}
          calling={calling}
          onChoose={(code) => {
            setCalling(callingCodeOf(code));
            if (input.current) preparePhoneField(input.current);
          }}
        />
        <input
          ref={input}
          className={inputClass}
          id="phone"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          placeholder={country.example}
          aria-invalid={phoneError ? true : undefined}
          aria-describedby="phone-error"
          onFocus={({ currentTarget }) => preparePhoneField(currentTarget)}
          onBlur={({ currentTarget }) => handlePhoneBlur(currentTarget)}
          onInput={({ currentTarget, nativeEvent }) => {
            handlePhoneInput(currentTarget, nativeEvent);
            if (phoneError) rejectPhone('');
          }}
        />
      </Field>
      <ContinueButton label={text.button} pending={pending} />
    </form>
  );
}
