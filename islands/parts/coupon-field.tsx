import type { FormEvent } from 'react';
import type { IslandText } from '../../locales/index.ts';
import styles from './coupon-field.module.css';
import { Field, inputClass } from './field.tsx';
import { fill } from './fill.ts';

type Props = {
  text: IslandText['orders'];
  /** The code that is off the price now; empty for none. */
  applied: string;
  /** What stands in the field at first. */
  code: string;
  error: string;
  pending: boolean;
  opened: boolean;
  onToggle: (opened: boolean) => void;
  onApply: (code: string) => void;
  onRemove: () => void;
};

/** A quiet line that opens to a field for a code, and says which one is applied. */
export function CouponField(props: Props) {
  const { text, applied, code, error, pending, opened, onToggle, onApply, onRemove } = props;
  if (applied) {
    return (
      <p className={styles.applied} role="status">
        {fill(text.applied, { code: applied })}
        <button className={styles.remove} type="button" onClick={onRemove}>
          {text.remove}
        </button>
      </p>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('coupon') ?? '').trim();
    if (typed && !pending) onApply(typed);
  };
  return (
    <details
      className={styles.coupon}
      open={opened}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary className={styles.ask}>{text.ask}</summary>
      <form method="post" onSubmit={submit}>
        <Field id="coupon" label={text.label} error={error}>
          <input
            className={inputClass}
            id="coupon"
            name="coupon"
            type="text"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            dir="ltr"
            defaultValue={code}
            aria-invalid={error ? true : undefined}
            aria-describedby="coupon-error"
          />
          <button className={styles.apply} type="submit" aria-busy={pending || undefined}>
            {text.apply}
          </button>
        </Field>
      </form>
    </details>
  );
}
