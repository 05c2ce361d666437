import { useStore } from '@nanostores/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import type { GatewayName } from '../worker/payments/purchase/state.ts';
import styles from './checkout/card-fields.module.css';
import { CardFields, type MountedCard, useCardFields } from './checkout/card-fields.tsx';
import { payMainPlan } from './checkout/pay.ts';
import { selectedPlan } from './checkout/plan-choice.ts';
import { testCards } from './checkout/test-cards.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { track } from './runtime/tracking/track.ts';
import {
  $checkout,
  $takeover,
  failPurchase,
  forgetFailure,
  setCardholderName,
  showCardForm,
  trackCardFormShown,
} from './stores/checkout.ts';
import { $plans, chosenOf, codeFor, selectPlan, todayOf } from './stores/plans.ts';
import { $signup } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { LineIcon } from './ui/line-icon.tsx';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import { CardError } from './vendors/payment-provider.ts';

interface Props {
  text: IslandText['card-form'] & { secure: string; by: string };
  plans: PlanView[];
  language: string;
  /** Path prefix of the fakes in development, else empty. */
  vendors: string;
  test: boolean;
  orderButton: 'pay' | 'order';
  /** Stripe key and account name when the payment settings have none. */
  stripe?: { key: string; name: string };
  provider?: GatewayName | null;
  /** The provider of most buyers in the market. */
  likely: GatewayName;
  /** Whether a Continue button opens the form; until then that button is the screen's main one. */
  revealedByContinue?: boolean;
  initiallyClosed?: boolean;
}

const companies: Record<GatewayName, string> = { stripe: 'Stripe', braintree: 'Braintree' };
/** Why nothing was charged: an invalid field, a refused card, or a provider that did not load. */
const reasonOf = (error: unknown) =>
  error instanceof CardError ? `card_${error.field ?? 'refused'}` : 'unavailable';

const signs = {
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
  warning: 'M12 3 2.5 20h19zM12 10v4M12 17v.01',
};

export default function CardForm(props: Props) {
  const { text, plans, language, vendors, test, orderButton, stripe: fallback } = props;
  const {
    provider: preferred = null,
    likely,
    revealedByContinue = false,
    initiallyClosed = false,
  } = props;
  const {
    plan: chosen,
    couponDetails,
    showCheckout,
  } = useStore($plans, {
    keys: ['plan', 'couponDetails', 'showCheckout'],
    ssr: 'initial',
  });
  const { isCardFormShown, paymentError } = useStore($checkout, {
    keys: ['isCardFormShown', 'paymentError'],
    ssr: 'initial',
  });
  const takeover = useStore($takeover, { ssr: 'initial' });
  const [account, setAccount] = useState(true);
  const [pending, setPending] = useState(false);
  const busy = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const forcedProvider = takeover?.to ?? null;
  const access = {
    vendors,
    language,
    forcedProvider,
    preferred,
    method: 'card',
    fallback,
  } as const;
  const card = useCardFields(form, access, text);
  const company = takeover?.to ?? card.gateway ?? likely;
  const plan = chosenOf(plans, chosen);
  const isFormVisible = isCardFormShown && (showCheckout || !revealedByContinue);

  useOnHydrate(() => {
    setAccount($signup.get().token !== '');
    const selected = selectedPlan(plans, $plans.get().plan);
    if (selected) selectPlan(selected);
    if (!initiallyClosed) showCardForm(true);
  });
  useEffect(() => {
    if (isFormVisible && account) trackCardFormShown();
  }, [isFormVisible, account]);
  useEffect(() => {
    if (card.state === 'failed' && isFormVisible && account) failPurchase(text.unavailable);
  }, [card.state, isFormVisible, account, text.unavailable]);

  useEffect(() => {
    if (takeover) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [takeover]);

  const pay = async (bought: PlanView, coupon: string | undefined) => {
    const { gateway } = ((await card.ready.current) as MountedCard).provider;
    setCardholderName(card.name.current?.value.trim() ?? '');
    track('subs_purchase_started', { plan: bought.id, gateway });
    const { provider, nonce } = await card.tokenize();
    await payMainPlan({ plan: bought.id, coupon, provider, method: 'card', nonce, texts: text });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy.current || !plan) return;
    busy.current = true;
    setPending(true);
    forgetFailure();
    await pay(plan, codeFor(plan, couponDetails)).catch((error) => {
      track('subs_purchase_failed', { plan: plan.id, decline_code: reasonOf(error) });
      const message = card.explain(error);
      if (message) failPurchase(message);
    });
    busy.current = false;
    setPending(false);
  };

  const retry = () => {
    forgetFailure();
    if (card.state === 'failed') card.load();
    else form.current?.requestSubmit();
  };

  const failure = paymentError.show ? paymentError.message : '';
  const amount = plan ? money(todayOf(plan, couponDetails), plan.currency, language) : '';
  return (
    <form ref={form} className="stack gap-8" method="post" onSubmit={submit} noValidate>
      {test && <p className="callout">{interpolate(text.test, { card: testCards[company] })}</p>}
      <CardFields
        text={text}
        errors={card.errors}
        loading={card.state === 'loading'}
        name={card.name}
      />
      <div className={`${failure || takeover ? 'row' : 'beside'} wrap ${styles.state}`}>
        {failure ? (
          <>
            <p className="error grow shrink" role="alert">
              {failure === text.network ? `${failure}. ${text.lost}` : failure}
            </p>
            <button className={`small-button ${styles.retry}`} type="button" onClick={retry}>
              {text.retry}
            </button>
          </>
        ) : takeover ? (
          <>
            <LineIcon path={signs.warning} />
            {/* A new element, so that the note does not count as moved. */}
            <p
              key="takeover"
              ref={notice}
              className={`small grow shrink ${styles.takeover}`}
              role="alert"
            >
              {interpolate(text.takeover, {
                from: companies[takeover.from],
                to: companies[takeover.to],
              })}
            </p>
          </>
        ) : (
          <>
            <LineIcon path={signs.lock} />
            <div className="stack gap-4 grow shrink top">
              <p className="note">{text.secure}</p>
              <p className={`tiny row ${styles.provider}`}>
                {text.by}
                <b className={styles.company} translate="no">
                  {companies[company]}
                </b>
              </p>
            </div>
          </>
        )}
      </div>
      {orderButton === 'order' && (
        // EU law requires the prescribed label alone on the button, so the amount is beside it.
        <p className="strong center tabular">{interpolate(text.due, { amount })}</p>
      )}
      <ContinueButton
        id={revealedByContinue && !showCheckout ? 'pay-button' : 'continue-button'}
        label={interpolate(text[orderButton], { amount })}
        pending={pending}
      />
      <LoadingOverlay enabled={pending} message={text.processing} />
    </form>
  );
}
