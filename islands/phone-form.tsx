import { useStore } from '@nanostores/react';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { type Country, callingCodeOf, countriesIn } from './phone/countries.ts';
import {
  handlePhoneBlur,
  handlePhoneInput,
  isImpossible,
  preparePhoneField,
} from './phone/phone-field.ts';
import styles from './phone-form.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import { $map, looksLikePhone, rejectPhone, setPhone } from './stores/map.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Field, inputClass } from './ui/field.tsx';

type SelectProps = {
  label: string;
  countries: readonly Country[];
  calling: string;
  onChoose: (code: string) => void;
};

export function CountrySelect({ label, countries, calling, onChoose }: SelectProps) {
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

/** A prefetched screen appears within this time, ms; a loading state would only delay it. */
const prefetchWaitMs = 100;

interface Props {
  text: IslandText['phone-form'];
  action: string;
  /** The visitor's country. */
  country: Country;
}

/** The number to look up. Submitting never waits for the lookup, which runs on the next screen. */
export default function PhoneForm({ text, action, country }: Props) {
  const { phoneError } = useStore($map, { keys: ['phoneError'], ssr: 'initial' });
  const [pending, setPending] = useState(false);
  const [countries, setCountries] = useState([country]);
  const [calling, setCalling] = useState(country.calling);
  const input = useRef<HTMLInputElement>(null);
  useOnHydrate(() => {
    const others = countriesIn(document.documentElement.lang);
    setCountries([country, ...others.filter(({ code }) => code !== country.code)]);
    const { phone } = $map.get();
    if (input.current && !input.current.value) input.current.value = phone;
  });
  useEffect(() => {
    const select = input.current?.form?.elements.namedItem('country');
    const kept = countries.find(({ code }) => code === $map.get().country);
    if (kept && select instanceof HTMLSelectElement) {
      select.value = kept.code;
      setCalling(kept.calling);
    }
    // Formats what was typed or autofilled before hydration.
    const touched = document.activeElement === input.current || input.current?.value;
    if (countries.length > 1 && input.current && touched) preparePhoneField(input.current);
  }, [countries]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const phone = String(fields.get('phone')).trim();
    const chosen = String(fields.get('country'));
    if (!looksLikePhone(phone) || isImpossible(phone, chosen)) {
      rejectPhone(text.invalid);
      input.current?.focus();
      return;
    }
    setPhone(phone, chosen);
    const late = setTimeout(() => setPending(true), prefetchWaitMs);
    await navigate();
    clearTimeout(late);
    setPending(false);
  };
  return (
    <form className="stack gap-4" method="post" action={action} noValidate onSubmit={submit}>
      <Field id="phone" label={text.phone} dir="ltr" error={phoneError}>
        <CountrySelect
          label={text.country}
          countries={countries}
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
