import { useRef, useState } from 'react';
import type { PlanView } from '../../worker/catalog/plans.ts';
import { call, messageOf } from '../runtime/api.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { $plans, type Coupon, chosenOf, setCouponDetails } from '../stores/plans.ts';

/** @throws the parsed refusal; an Error when the network fails */
export async function requestCoupon(code: string, plan: string): Promise<Coupon> {
  const { data } = await call<{ data: Coupon }>('/coupons', { body: { coupon: code, plan } });
  return { code: data.code, plan: data.plan, discount: data.discount };
}

export function useCoupon(plans: readonly PlanView[], offered: boolean, failed: string) {
  const [state, setState] = useState({ code: '', error: '', pending: false });
  // Responses can arrive out of order; only the latest request counts.
  const asked = useRef({ code: '', plan: '' });

  const settle = (coupon: Coupon | null, code: string, error = '') => {
    setCouponDetails(coupon);
    setState({ code, error, pending: false });
  };
  const check = async (code: string, plan: string) => {
    const question = { code, plan };
    asked.current = question;
    setState((before) => ({ ...before, pending: true }));
    const answer = await requestCoupon(code, plan).catch((why) => messageOf(why) ?? failed);
    if (asked.current !== question) return;
    if (typeof answer === 'string') settle(null, code, answer);
    else settle(answer, answer.code);
  };
  const chosen = () => chosenOf(plans, $plans.get().plan)?.id ?? '';
  const remove = () => {
    asked.current = { code: '', plan: '' };
    settle(null, '');
  };
  useOnHydrate(() => {
    const kept = $plans.get().couponDetails;
    if (kept && !offered) remove();
    else if (kept) check(kept.code, chosen());
    return $plans.listen(() => {
      const { code, plan } = asked.current;
      if (code && plan !== chosen()) check(code, chosen());
    });
  });

  return { ...state, apply: (code: string) => check(code, chosen()), remove };
}
