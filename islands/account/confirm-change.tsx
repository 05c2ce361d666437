import { useState } from 'react';
import { decimal } from '../../locales/format/currency.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import type { IslandText } from '../../locales/index.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { browserGateways } from '../vendors/gateways.ts';
import { providerOf } from '../vendors/load-payment-provider.ts';
import type { ProviderSettings } from '../vendors/payment-provider.ts';
import { confirmPlanChange, loadMyPurchases } from './purchases-api.ts';
import { reportUnexpected } from './report-unexpected.ts';

export type Challenged = SubscriptionView & {
  challenge: NonNullable<SubscriptionView['challenge']>;
};

export interface ConfirmProps {
  text: Pick<
    IslandText['my-account'],
    | 'change_bank'
    | 'change_confirm'
    | 'changed'
    | 'change_declined'
    | 'change_failed'
    | 'change_waiting'
  >;
  form: IslandText['card-form'];
  language: string;
  access: Pick<ProviderSettings, 'vendors' | 'language' | 'fallback'>;
  subscription: Challenged;
  /** @param message describes the result of the change */
  onEnd: (message: string) => Promise<void>;
  onAgain: () => Promise<void>;
}

/** The signed-in owner's subscription with a change that the bank challenges. */
export async function findChallenged(): Promise<Challenged | null> {
  const found = await loadMyPurchases();
  if (found.kind !== 'loaded') return null;
  const isChallenged = (one: SubscriptionView): one is Challenged => one.challenge !== null;
  return found.subscriptions.find(isChallenged) ?? null;
}

export function ConfirmChange(props: ConfirmProps) {
  const { text, form, language, access, subscription, onEnd, onAgain } = props;
  const { attempt, currency, challenge } = subscription;
  const { change, gateway, amount, secret } = challenge;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const confirm = async () => {
    const settings = {
      ...access,
      forcedProvider: gateway,
      preferred: null,
      method: 'card',
    } as const;
    const { verifiesCard } = browserGateways[gateway];
    const provider = await providerOf(settings);
    const { error, nonce } = await provider.confirm(
      verifiesCard
        ? { kind: 'card', nonce: secret, amount: decimal(amount, currency) }
        : { kind: 'intent', secret },
      form.challenge,
    );
    if (error?.code === 'challenge_closed') return setFailure(form.challenge.closed);
    if (error && verifiesCard) return setFailure(form.challenge.unavailable);
    const { state } = await confirmPlanChange(attempt, change, nonce);
    const messages = {
      done: text.changed,
      declined: text.change_declined,
      failed: text.change_failed,
      pending: text.change_waiting,
    };
    if (state === 'challenged') return onAgain();
    return onEnd(messages[state]);
  };
  const start = async () => {
    if (pending) return;
    setPending(true);
    setFailure('');
    await confirm().catch((error) => {
      reportUnexpected(error);
      setFailure(form.network);
    });
    setPending(false);
  };
  return (
    <section className="card stack gap-12">
      <p>{interpolate(text.change_bank, { sum: money(amount, currency, language) })}</p>
      {failure && <p role="alert">{failure}</p>}
      <ContinueButton label={text.change_confirm} type="button" pending={pending} onClick={start} />
    </section>
  );
}
