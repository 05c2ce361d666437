import { type FormEvent, useEffect, useRef, useState } from 'react';
import { typedCode } from '../../locales/format/typed-code.ts';
import type { IslandText } from '../../locales/index.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import styles from '../order-summary.module.css';
import { call } from '../runtime/api.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import { $plans, type Coupon, chosenOf, setCouponDetails } from '../stores/plans.ts';
import { Field, TextInput } from '../ui/field.tsx';

/** @throws the parsed refusal; an Error when the network fails */
export async function requestCoupon(code: string, plan: string): Promise<Coupon> {
  const { data } = await call<{ data: Coupon }>('/coupons', { body: { coupon: code, plan } });
  return data;
}

export function useCoupon(plans: readonly PlanView[], offered: boolean, failed: string) {
  const [state, setState] = useState({ code: '', error: '', pending: false });
  // Responses can arrive out of order; only the latest request counts.
  const latest = useRef({ code: '', plan: '' });

  const showResult = (coupon: Coupon | null, code: string, error = '') => {
    setCouponDetails(coupon);
    setState({ code, error, pending: false });
  };
  const check = async (code: string, plan: string) => {
    const request = { code, plan };
    latest.current = request;
    setState((before) => ({ ...before, pending: true }));
    const answer = await requestCoupon(code, plan).catch((why) => refusalMessage(why) ?? failed);
    if (latest.current !== request) return;
    if (typeof answer === 'string') showResult(null, code, answer);
    else showResult(answer, answer.code);
  };
  const chosen = () => chosenOf(plans, $plans.get().plan)?.id ?? '';
  const remove = () => {
    latest.current = { code: '', plan: '' };
    showResult(null, '');
  };
  useOnHydrate(() => {
    const stored = $plans.get().couponDetails;
    // A link's code replaces the one that the browser remembers.
    const linked = typedCode(new URLSearchParams(location.search).get('coupon') ?? '');
    const code = linked || stored?.code;
    if (stored && !offered) remove();
    else if (code && offered) check(code, chosen());
    return $plans.listen(() => {
      const { code, plan } = latest.current;
      if (code && plan !== chosen()) check(code, chosen());
    });
  });

  return { ...state, apply: (code: string) => check(code, chosen()), remove };
}

type Props = {
  text: Omit<IslandText['order-summary'], 'free'> & { close: string };
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

/** A line that asks for a code; instead of it the field, and instead of that the code that applies. */
export function CouponField(props: Props) {
  const { text, applied, off, code, error, pending, opened, onToggle, onApply, onRemove } = props;
  const remove = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!applied || !opened) return;
    onToggle(false);
    // The field had the focus.
    if (document.activeElement === document.body) remove.current?.focus();
  }, [applied, opened, onToggle]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = typedCode(String(new FormData(event.currentTarget).get('coupon') ?? ''));
    if (typed && !pending) onApply(typed);
  };
  if (applied) {
    return (
      <p className={`row spread small strong tabular ${styles.coupon}`}>
        <span className={styles.applied} role="status">{`${applied} ${off}`}</span>
        <button ref={remove} className="text-button" type="button" onClick={onRemove}>
          {text.remove}
        </button>
      </p>
    );
  }
  return (
    <details
      className={`small needs-script ${styles.coupon}`}
      open={opened}
      onToggle={({ currentTarget }) => {
        onToggle(currentTarget.open);
        currentTarget.querySelector('input')?.focus();
      }}
    >
      <summary className={`row strong ${styles.ask}`}>
        <span role="status">{opened ? text.close : error || text.ask}</span>
      </summary>
      <form className="stack gap-8" method="post" onSubmit={submit}>
        <Field id="coupon" label={text.label} error={error} errorElsewhere>
          <TextInput
            id="coupon"
            error={error}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={64}
            defaultValue={code}
          />
          <button className={styles.apply} type="submit" aria-busy={pending || undefined}>
            {text.apply}
          </button>
        </Field>
        <p className="error" id="coupon-error" role="alert">
          {error}
        </p>
      </form>
    </details>
  );
}
