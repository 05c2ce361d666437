import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import type { GatewayName } from '../worker/payments/purchase/state.ts';
import styles from './checkout/card-fields.module.css';
import { CardFields, useCardFields } from './checkout/card-fields.tsx';
import { cardFormId } from './checkout/card-form-id.ts';
import { CardNotice } from './checkout/card-notice.tsx';
import { Failure } from './checkout/failure.tsx';
import { PayButton } from './checkout/pay-button.tsx';
import { selectedPlan } from './checkout/plan-choice.ts';
import { selectPlan } from './checkout/plan-step.ts';
import { settleInSection } from './checkout/scroll-to-section.ts';
import { testCards } from './checkout/test-cards.ts';
import { useCardPayment } from './checkout/use-card-payment.ts';
import { useChosenPlan } from './checkout/use-chosen-plan.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import {
  $cardComplete,
  $checkout,
  $takeover,
  $walletPays,
  failPurchase,
  forgetFailure,
  showCardForm,
  trackCardFormShown,
} from './stores/checkout.ts';
import { $plans } from './stores/plans.ts';
import { $signup } from './stores/signup.ts';
import { ContinueButton, ContinueLink } from './ui/continue-button.tsx';
import { PageLock } from './ui/page-lock.tsx';

interface Props {
  text: IslandText['card-form'] & Record<'secure' | 'by' | 'bank' | 'other', string>;
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

export default function CardForm(props: Props) {
  const { text, plans, language, vendors, test, orderButton, stripe: fallback } = props;
  const { provider: preferred = null, likely } = props;
  const { revealedByContinue = false, initiallyClosed = false } = props;
  const { plan, today, code } = useChosenPlan(plans);
  const { showCheckout } = useStore($plans, { keys: ['showCheckout'], ssr: 'initial' });
  const { isCardFormShown, paymentError } = useStore($checkout, {
    keys: ['isCardFormShown', 'paymentError'],
    ssr: 'initial',
  });
  const takeover = useStore($takeover, { ssr: 'initial' });
  const walletPays = useStore($walletPays, { ssr: 'initial' });
  const [account, setAccount] = useState(true);
  const form = useRef<HTMLFormElement>(null);
  const forcedProvider = takeover?.to ?? null;
  const access = {
    vendors,
    language,
    forcedProvider,
    preferred,
    fallback,
    method: 'card',
  } as const;
  const card = useCardFields(form, access, text);
  const { pending, submit } = useCardPayment(card, text);
  const amount = plan ? money(today, plan.currency, language) : '';
  const reload = () => {
    forgetFailure();
    card.load();
  };
  const company = takeover?.to ?? card.gateway ?? likely;
  const { message, detail, way } = paymentError;
  const failed = paymentError.show ? way : null;
  const failure = failed ? { message, detail, way } : null;
  const moved = takeover && !pending ? { message: takeover.message, way: 'lost' as const } : null;
  // A new try now is refused as well.
  const isRefused = failed === 'support';
  const isLoadFailed = card.state === 'failed';
  const isDead = isRefused || isLoadFailed;
  const isFormVisible = isCardFormShown && (showCheckout || !revealedByContinue);

  useOnHydrate(() => {
    const section = settleInSection();
    if (section === 'card' || section === 'again')
      card.ready.current?.then(
        ({ fields }) => fields.focus('number'),
        () => {},
      );
    setAccount($signup.get().token !== '');
    if ($checkout.get().paymentError.way === 'support') forgetFailure();
    selectPlan(selectedPlan(plans, $plans.get().plan));
    if (!initiallyClosed) showCardForm(true);
  });
  useEffect(() => {
    if (isFormVisible && account) trackCardFormShown();
  }, [isFormVisible, account]);
  useEffect(() => {
    if (isLoadFailed && isFormVisible && account)
      failPurchase({ message: text.unavailable, way: 'retry' });
  }, [isLoadFailed, isFormVisible, account, text.unavailable]);

  useEffect(() => {
    $cardComplete.set(card.isComplete && isFormVisible && !isRefused);
    return () => $cardComplete.set(false);
  }, [card.isComplete, isFormVisible, isRefused]);

  return (
    <form
      ref={form}
      id={cardFormId}
      className="stack gap-8"
      method="post"
      onSubmit={(event) => submit(event, plan, code, amount)}
      noValidate
    >
      {test && <p className="callout">{interpolate(text.test, { card: testCards[company] })}</p>}
      <div className={isDead ? styles.whole : undefined}>
        <div className="stack gap-8">
          <CardFields text={text} card={card} pending={pending} />
          <CardNotice
            text={text}
            pending={pending}
            failure={isDead ? null : (failure ?? moved)}
            company={company}
            onRetry={failed === 'retry' ? reload : undefined}
            retry={text.other}
          />
        </div>
        {isDead && failure && (
          <Failure {...failure} way={isRefused ? 'none' : 'lost'} text={text} whole />
        )}
      </div>
      {isRefused ? (
        <ContinueLink href="/support" label={text.support} />
      ) : isLoadFailed ? (
        <ContinueButton label={text.retry} type="button" onClick={reload} />
      ) : (
        <PayButton
          id={revealedByContinue && !showCheckout ? 'pay-button' : 'continue-button'}
          text={text}
          again={failed === 'lost' || failed === 'retry' ? text.retry : ''}
          orderButton={orderButton}
          amount={amount}
          isFree={plan !== undefined && today === 0}
          pending={pending || walletPays !== ''}
        />
      )}
      <PageLock enabled={pending} />
    </form>
  );
}
