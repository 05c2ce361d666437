import type { FormEvent } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import styles from '../order-summary.module.css';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

type Props = {
  text: IslandText['order-summary'];
  /** The applied code, empty for none. */
  applied: string;
  off: string;
  code: string;
  error: string;
  pending: boolean;
  opened: boolean;
  onToggle: (opened: boolean) => void;
  onApply: (code: string) => void;
  onRemove: () => void;
};

/**
 * A line that expands to a coupon field and names the applied code with its discount. The height
 * never changes, so a late response moves nothing.
 */
export function CouponField(props: Props) {
  const { text, applied, off, code, error, pending, opened, onToggle, onApply, onRemove } = props;
  const asking = opened || !error ? text.ask : error;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('coupon') ?? '').trim();
    if (applied) onRemove();
    else if (typed && !pending) onApply(typed);
  };
  return (
    <details
      className="small needs-script"
      open={opened}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary className={`row spread gap-12 strong tabular ${styles.line}`}>
        <span className={applied ? styles.applied : styles.ask} role="status">
          {applied ? interpolate(text.applied, { code: applied }) : asking}
        </span>
        {applied && <span className={styles.applied}>{off}</span>}
      </summary>
      <form className={styles.form} method="post" onSubmit={submit}>
        <Field id="coupon" label={text.label} error={error}>
          <TextInput
            id="coupon"
            error={error}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={64}
            defaultValue={code}
          />
          <button className={styles.apply} type="submit" aria-busy={pending || undefined}>
            {applied ? text.remove : text.apply}
          </button>
        </Field>
      </form>
    </details>
  );
}
