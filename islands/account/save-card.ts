import { type PurchaseResult, type PurchaseTexts, purchase } from '../checkout/purchase.ts';
import { call, request } from '../runtime/api.ts';
import type { Provider } from '../vendors/payment-provider.ts';

interface NewCard {
  /** A retry has the same key. */
  key: string;
  /** The open amount shown on the page. */
  agreed: number;
  provider: Provider;
  nonce: string;
  deviceData?: string;
  bearer: string;
  texts: PurchaseTexts;
  /** Called when the bank challenges the card. */
  onChallenge: () => void;
}

/** Saves a new card by the protocol of a purchase: bank challenges, polling, lost replies. */
export function saveCard(newCard: NewCard): Promise<PurchaseResult> {
  const { key, agreed, provider, nonce, deviceData, bearer, texts, onChallenge } = newCard;
  const order = { gateway: provider.gateway, payment_method_nonce: nonce, device_data: deviceData };
  return purchase(
    { ...order, user_data: {} },
    {
      start: (body) =>
        call('/users/me/card', { body: { ...body, key, agreed_amount: agreed }, bearer }),
      fetchResult: () => request(`/users/me/card/updates/${key}`, { bearer }),
      confirm(challenge) {
        onChallenge();
        return provider.confirm(challenge, texts.challenge);
      },
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
      now: () => Date.now(),
    },
    texts,
  );
}
