import { type FormEvent, useRef, useState } from 'react';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { track } from '../runtime/tracking/track.ts';
import { failPurchase, forgetFailure, setCardholderName } from '../stores/checkout.ts';
import { setLoader } from '../stores/pending.ts';
import { CardError } from '../vendors/payment-provider.ts';
import type { MountedCard, useCardFields } from './card-fields.tsx';
import { payMainPlan } from './pay.ts';
import type { PurchaseTexts } from './purchase.ts';

/** Why nothing was charged: an invalid field, a refused card, or a provider that did not load. */
const reasonOf = (error: unknown) =>
  error instanceof CardError ? `card_${error.field ?? 'refused'}` : 'unavailable';

/** Pays a plan with the card in the form's fields, once at a time. */
export function useCardPayment(card: ReturnType<typeof useCardFields>, texts: PurchaseTexts) {
  const [pending, setPending] = useState(false);
  const busy = useRef(false);

  const pay = async (plan: string, coupon: string | undefined, amount: string) => {
    const { gateway } = ((await card.ready.current) as MountedCard).provider;
    setCardholderName(card.name.current?.value.trim() ?? '');
    track('subs_purchase_started', { plan, gateway });
    const { provider, nonce, label } = await card.tokenize();
    await payMainPlan({
      ...{ plan, coupon, provider, nonce, amount, texts },
      method: 'card',
      card: label,
    });
  };
  const submit = async (
    event: FormEvent,
    plan: PlanView | undefined,
    coupon: string | undefined,
    amount: string,
  ) => {
    event.preventDefault();
    if (busy.current || !plan) return;
    busy.current = true;
    setPending(true);
    setLoader(true);
    forgetFailure();
    await pay(plan.id, coupon, amount).catch((error) => {
      track('subs_purchase_failed', { plan: plan.id, decline_code: reasonOf(error) });
      const failure = card.explain(error);
      if (failure) failPurchase(failure);
    });
    busy.current = false;
    setPending(false);
    setLoader(false);
  };
  return { pending, submit };
}
