import { useStore } from '@nanostores/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/funnel/plans.ts';
import type { GatewayName } from '../worker/funnel/purchase.ts';
import styles from './card-form.module.css';
import { CardBoxes } from './parts/card-boxes.tsx';
import { ContinueButton } from './parts/continue-button.tsx';
import { fill } from './parts/fill.ts';
import { money } from './parts/money.ts';
import { fillBoxes } from './runtime/fill.ts';
import { navigate } from './runtime/navigate.ts';
import { useWake } from './runtime/use-wake.ts';
import { buy } from './stores/buy.ts';
import { completePurchase, failPurchase, setCardholderName } from './stores/checkout.ts';
import { setError } from './stores/error.ts';
import { $plans, chosenOf, selectPlan } from './stores/plans.ts';
import { paymentMessage } from './stores/purchase.ts';
import { $signup, endSession, setPaymentProvider } from './stores/signup.ts';
import { standingChoice } from './stores/standing-choice.ts';
import { CardError } from './vendors/provider.ts';
import { type Card, useCard } from './vendors/use-card.ts';

interface Props {
  text: IslandText['card-form'];
  plans: PlanView[];
  /** BCP 47. */
  language: string;
  /** Prefix of the vendors' scripts. */
  vendors: string;
  /** Outside production. */
  test: boolean;
  /** Which words the law wants on the button. */
  orderButton: 'pay' | 'order';
  /** The card provider's default key and account name, should the product not tell its own. */
  stripe?: { key: string; name: string };
  /** The provider that the screen insists on. */
  provider?: GatewayName | null;
  /** Whether it stands behind a Continue button, which is the screen's main one until it is pressed. */
  behind?: boolean;
}

/** The card, in the provider's own fields, and the button that buys the chosen plan once. */
export default function CardForm(props: Props) {
  const { text, plans, language, vendors, test, orderButton, stripe: fallback, behind } = props;
  const { provider: insists = null } = props;
  const { plan: chosen, showCheckout } = useStore($plans, {
    keys: ['plan', 'showCheckout'],
    ssr: 'initial',
  });
  const [account, setAccount] = useState(true);
  const [pending, setPending] = useState(false);
  const busy = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const card = useCard(form, { vendors, language, insists, fallback });
  const plan = chosenOf(plans, chosen);

  useWake(() => {
    setAccount($signup.get().token !== '');
    const standing = standingChoice(plans, $plans.get().plan);
    if (standing) selectPlan(standing);
  });
  useEffect(() => {
    if (card.state === 'failed' && account) setError(text.unavailable);
  }, [card.state, account, text.unavailable]);

  const pay = async (bought: PlanView) => {
    const { provider, fields } = (await card.ready.current) as Card;
    const cardholder = name.current?.value.trim() ?? '';
    setCardholderName(cardholder);
    const nonce = await fields.nonce(cardholder);
    const { gateway, confirm } = provider;
    setPaymentProvider(gateway);
    const outcome = await buy({ plan: bought.id, gateway, nonce, confirm, texts: text });
    if (outcome.is === 'paid') {
      completePurchase(outcome.id);
      return navigate();
    }
    failPurchase(outcome.message);
    if (outcome.decline === 'unauthorized') {
      endSession();
      fillBoxes(document);
    }
    if (outcome.is === 'declined') return navigate('/payment_declined');
    setError(outcome.message);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy.current || !plan) return;
    busy.current = true;
    setPending(true);
    await pay(plan).catch((error) => {
      if (!(error instanceof CardError)) return setError(text.unavailable);
      const message = paymentMessage(error, text);
      if (error.field) card.show(error.field, message);
      else setError(message);
    });
    busy.current = false;
    setPending(false);
  };

  const amount = plan ? money(plan.periodPrice, plan.currency, language) : '';
  return (
    <form ref={form} className={styles.form} method="post" onSubmit={submit}>
      <CardBoxes text={text} errors={card.errors} loading={card.state === 'loading'} name={name} />
      {card.state === 'failed' && (
        <p className={styles.failed}>
          {text.unavailable}
          <button className={styles.retry} type="button" onClick={card.load}>
            {text.retry}
          </button>
        </p>
      )}
      <ContinueButton
        id={behind && !showCheckout ? 'pay-button' : 'continue-button'}
        label={fill(text[orderButton], { amount })}
        pending={pending}
      />
      <p className={styles.note} role="status">
        {pending ? text.processing : test ? text.test : ''}
      </p>
    </form>
  );
}
