import { useStore } from '@nanostores/react';
import { type FormEvent, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import type { IslandText } from '../locales/index.ts';
import type { BankMethod } from '../worker/catalog/rules/bank-methods.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import styles from './bank-form.module.css';
import { payMainPlan } from './checkout/pay.ts';
import { paymentMessage } from './checkout/purchase.ts';
import { useReloadOnRestore } from './checkout/redirects.ts';
import { useBankFields } from './checkout/use-bank-fields.ts';
import { track } from './runtime/tracking/track.ts';
import { $checkout, forgetFailure } from './stores/checkout.ts';
import { $plans, chosenOf, codeFor, todayOf } from './stores/plans.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import { Spinner } from './ui/spinner.tsx';
import { ConnectionError } from './vendors/payment-provider.ts';

interface Props {
  text: IslandText['bank-form'];
  pay: IslandText['card-form'];
  plans: PlanView[];
  methods: Record<string, BankMethod[]>;
  language: string;
  vendors: string;
  orderButton: 'pay' | 'order';
  stripe?: { key: string; name: string };
}

/** Payment from a bank account; its fields load on the buyer's request. */
export default function BankForm(props: Props) {
  const { text, pay: words, plans, methods, language, vendors, orderButton, stripe } = props;
  const { plan: planId, couponDetails } = useStore($plans, {
    keys: ['plan', 'couponDetails'],
    ssr: 'initial',
  });
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const plan = chosenOf(plans, planId);
  const offered = (plan && methods[plan.id]) ?? [];
  const amount = plan ? todayOf(plan, couponDetails) : 0;
  const currency = plan?.currency ?? 'EUR';
  const access = { vendors, language, fallback: stripe };
  const bank = useBankFields(access, { amount, currency, methods: offered });
  const { state } = bank;
  const open = () => {
    setFailure('');
    void bank.load();
  };

  const run = async (work: () => Promise<boolean>) => {
    if (pending) return;
    setPending(true);
    setFailure('');
    const isPaid = await work().catch((error) => {
      setFailure(error instanceof ConnectionError ? words.network : paymentMessage(error, words));
      return true;
    });
    if (!isPaid) {
      // Shown here, and not at the card form.
      setFailure($checkout.get().paymentError.message);
      forgetFailure();
    }
    setPending(false);
  };
  useReloadOnRestore(pending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const mounted = bank.mounted.current;
    if (!mounted || !plan) return;
    const { provider, fields } = mounted;
    void run(async () => {
      track('subs_purchase_started', { plan: plan.id, gateway: provider.gateway });
      const coupon = codeFor(plan, couponDetails);
      const paid = await fields.pay();
      const returnPath = location.pathname;
      const texts = { texts: words, declined: text.declined };
      return payMainPlan({ plan: plan.id, coupon, provider, ...paid, returnPath, ...texts });
    });
  };

  const label = interpolate(words[orderButton], { amount: money(amount, currency, language) });
  return (
    <form
      className="stack gap-12 needs-script"
      method="post"
      onSubmit={submit}
      hidden={offered.length === 0}
      noValidate
    >
      {state === 'closed' ? (
        <button className="link-outlined" type="button" onClick={open}>
          {text.open}
        </button>
      ) : (
        <h2 className={`title-small ${styles.title}`}>{text.open}</h2>
      )}
      <div className={state === 'closed' ? undefined : styles.fields}>
        {state === 'loading' && (
          <p className={styles.wait}>
            <Spinner />
          </p>
        )}
        {state === 'failed' && (
          <>
            <p className="error" role="alert">
              {text.unavailable}
            </p>
            <button className="small-button" type="button" onClick={open}>
              {words.retry}
            </button>
          </>
        )}
        <div ref={bank.box} />
      </div>
      {state !== 'closed' && (
        <>
          <p className={`note ${styles.state}`} hidden={failure !== ''}>
            {text.policy}
          </p>
          <p className={`error ${styles.state}`} role="alert" hidden={failure === ''}>
            {failure}
          </p>
          {orderButton === 'order' && (
            <p className="strong center tabular">
              {interpolate(words.due, { amount: money(amount, currency, language) })}
            </p>
          )}
          <ContinueButton
            id="bank-button"
            label={label}
            pending={pending}
            disabled={state !== 'ready'}
          />
        </>
      )}
      <LoadingOverlay enabled={pending} message={words.processing} />
    </form>
  );
}
