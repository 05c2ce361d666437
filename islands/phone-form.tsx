import { useStore } from '@nanostores/react';
import { type FormEvent, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PhoneCountry } from './phone/countries.ts';
import { CountrySelect } from './phone/country-select.tsx';
import { looksLikePhone } from './phone/dialled-digits.ts';
import {
  handlePhoneBlur,
  handlePhoneInput,
  lengthFault,
  preparePhoneField,
} from './phone/phone-field.ts';
import { goOnWith } from './phone/phone-step.ts';
import { $map, rejectPhone } from './stores/map.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Field, inputClass } from './ui/field.tsx';

/** A prefetched screen appears within this time, ms; a loading state would only delay it. */
const prefetchWaitMs = 100;

interface Props {
  text: IslandText['phone-form'];
  action: string;
  country: PhoneCountry;
}

/** The form for the number. Submitting never waits for the lookup, which runs on the next screen. */
export default function PhoneForm({ text, action, country }: Props) {
  const { phoneError } = useStore($map, { keys: ['phoneError'], ssr: 'initial' });
  const [pending, setPending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const typedPhone = String(fields.get('phone')).trim();
    const chosen = String(fields.get('country'));
    const fault =
      (await lengthFault(typedPhone, chosen)) || (looksLikePhone(typedPhone) ? '' : 'invalid');
    if (fault) {
      rejectPhone(text[fault]);
      input.current?.focus();
      return;
    }
    const late = setTimeout(() => setPending(true), prefetchWaitMs);
    await goOnWith(typedPhone, chosen);
    clearTimeout(late);
    setPending(false);
  };
  return (
    <form className="stack gap-8" method="post" action={action} noValidate onSubmit={submit}>
      <Field id="phone" label={text.phone} dir="ltr" error={phoneError}>
        <CountrySelect
          label={text.country}
          country={country}
          onChoose={() => input.current && preparePhoneField(input.current)}
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
