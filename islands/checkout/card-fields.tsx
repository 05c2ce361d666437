import type { RefObject } from 'react';
import styles from '../card-form.module.css';
import { Field, inputClass } from '../ui/field.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

type Props = {
  text: {
    number: string;
    expiry: string;
    cvc: string;
    name: string;
    loading: string;
    stuck: string;
    reload: string;
  };
  errors: { number: string; expiry: string; cvc: string };
  loading: boolean;
  name: RefObject<HTMLInputElement | null>;
};

export function CardFields({ text, errors, loading, name }: Props) {
  const box = (field: 'number' | 'expiry' | 'cvc') => (
    <Field id={`card-${field}`} label={text[field]} error={errors[field]} errorElsewhere>
      <div className="padded grow shrink" id={`card-${field}`} data-card={field} />
    </Field>
  );
  return (
    <fieldset className="stack gap-16" aria-busy={loading} aria-label={text.number}>
      <div className={`stack gap-16 ${styles.provided}`}>
        {box('number')}
        <div className={styles.pair}>
          {box('expiry')}
          {box('cvc')}
        </div>
        <Skeleton loaded={!loading} label={text.loading} text={text} />
      </div>
      <Field id="card-name" label={text.name} error="" errorElsewhere>
        <input
          ref={name}
          className={inputClass}
          id="card-name"
          type="text"
          autoComplete="cc-name"
          maxLength={100}
        />
      </Field>
      <p className={`error ${styles.error}`} id="card-error" role="alert">
        {errors.number || errors.expiry || errors.cvc}
      </p>
    </fieldset>
  );
}
