import { useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import { sentencesOf } from '../../locales/format/sentences.ts';
import type { IslandText } from '../../locales/index.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';
import { trackPurchase, trackPurchaseFailure } from '../runtime/tracking/purchase-events.ts';
import { setUpsellPlan } from '../stores/plans.ts';
import { $signup, firstGateway } from '../stores/signup.ts';
import { providerOf } from '../vendors/load-payment-provider.ts';
import type { Provider } from '../vendors/payment-provider.ts';
import { buy } from './pay.ts';
import { type RefusalReason, wayForward } from './way-forward.ts';

interface Offer {
  text: Pick<IslandText['upsell-offer'], 'declined'> & { refused: string };
  /** The texts of a payment. */
  card: IslandText['card-form'];
  plan: { id: string };
  language: string;
  vendors: string;
  next: string;
}

/** That nothing was charged, with the name of the card if it is known. */
export function declinedText({ declined, refused }: Offer['text'], card: string): string {
  const [first = ''] = sentencesOf(declined);
  // Set apart, because it is written from left to right in every language.
  const named = interpolate(refused, { card: `\u2066${card}\u2069` });
  return card ? named + declined.slice(first.length) : declined;
}

/** Buys the extra with the saved payment method, or with another card where that was declined. */
export function useUpsell({ text, card, plan, language, vendors, next }: Offer) {
  const [method, setMethod] = useState<'saved' | 'declined' | 'entered'>('saved');
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<(RefusalReason & { isPending: boolean }) | null>(null);

  const gateway = () => $signup.get().paymentProvider || firstGateway;
  const access = () =>
    ({ vendors, language, forcedProvider: gateway(), preferred: null, method: 'card' }) as const;
  const confirmSaved: Provider['confirm'] = async (challenge, words) =>
    (await providerOf(access())).confirm(challenge, words);
  /**
   * @param entered another card; without it the saved method pays
   * @returns why that card did not pay, or an empty string
   */
  const add = async (
    confirm = confirmSaved,
    entered?: { nonce: string; label: string },
  ): Promise<string> => {
    if (pending) return '';
    setPending(true);
    setFailure(null);
    setUpsellPlan(plan.id);
    const provider = { gateway: gateway(), confirm };
    const outcome = await buy({ plan: plan.id, provider, nonce: entered?.nonce, texts: card });
    if (outcome.kind === 'paid') {
      trackPurchase('upsell_purchase_completed', plan.id, outcome);
      // The card of the last payment is the saved one.
      if (entered) updateSlice('checkout', { paidWith: entered.label });
      await navigate(next);
      setPending(false);
      return '';
    }
    trackPurchaseFailure(plan.id, gateway(), outcome);
    setPending(false);
    const isDeclined = outcome.kind === 'declined';
    const { message, detail, decline } = outcome;
    if (entered) return isDeclined ? declinedText(text, entered.label) : message;
    if (isDeclined) setMethod('declined');
    else
      setFailure({
        message,
        detail,
        way: wayForward(decline),
        isPending: decline === 'debit_pending' || decline === 'payment_unconfirmed',
      });
    return '';
  };
  return { method, setMethod, pending, failure, access, add };
}
