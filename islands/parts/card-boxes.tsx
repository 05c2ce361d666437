import type { RefObject } from 'react';
import styles from './card-boxes.module.css';
import { Field, inputClass } from './field.tsx';
import { Preloader } from './preloader.tsx';

type Props = {
  text: { number: string; expiry: string; cvc: string; name: string; loading: string };
  errors: { number: string; expiry: string; cvc: string };
  /** Whether the provider's fields are on their way. */
  loading: boolean;
  name: RefObject<HTMLInputElement | null>;
};

/** Boxes for the provider's three card fields, marked `data-card`, and the name on the card. */
export function CardBoxes({ text, errors, loading, name }: Props) {
  const box = (field: 'number' | 'expiry' | 'cvc') => (
    <Field id={`card-${field}`} label={text[field]} error={errors[field]}>
      <div className={styles.box} id={`card-${field}`} data-card={field} />
    </Field>
  );
  return (
    <fieldset className={styles.boxes} aria-busy={loading} aria-label={text.number}>
      <div className={styles.provided}>
        {box('number')}
        <div className={styles.pair}>
          {box('expiry')}
          {box('cvc')}
        </div>
        <Preloader loaded={!loading} label={text.loading} />
      </div>
      <Field id="card-name" label={text.name} error="">
        <input
          ref={name}
          className={inputClass}
          id="card-name"
          type="text"
          autoComplete="cc-name"
          maxLength={100}
        />
      </Field>
    </fieldset>
  );
}
