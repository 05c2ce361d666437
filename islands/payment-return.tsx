import { useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import { payMainPlan } from './checkout/pay.ts';
import { redirectingStripe, useReloadOnRestore } from './checkout/redirects.ts';
import styles from './payment-return.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import { stayed } from './runtime/navigation/stayed.ts';
import { takeBankReturn } from './runtime/storage/leave-for-bank.ts';
import { reportError } from './runtime/tracking/report-error.ts';
import { $checkout, forgetFailure } from './stores/checkout.ts';
import { $plans, codeFor } from './stores/plans.ts';
import { $signup } from './stores/signup.ts';
import { LoadingOverlay } from './ui/loading-overlay.tsx';

interface Props {
  text: IslandText['payment-return'];
  pay: IslandText['card-form'];
  plans: PlanView[];
  language: string;
  vendors: string;
  stripe?: { key: string; name: string };
}

/** Finishes the payment when the buyer returns from a bank's page or PayPal's, and shows a failure there. */
export default function PaymentReturn({ text, pay: words, plans, ...access }: Props) {
  const { language, vendors, stripe: fallback } = access;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const place = useRef<HTMLParagraphElement>(null);
  useReloadOnRestore(pending);

  async function finish(paymentId: string): Promise<string> {
    const { plan: planId, couponDetails } = $plans.get();
    const plan = plans.find(({ id }) => id === planId);
    if (!plan) throw new Error('no plan');
    const provider = await redirectingStripe({ language, vendors, fallback });
    const paid = { nonce: '', paymentId, texts: words, declined: text.declined };
    const coupon = codeFor(plan, couponDetails);
    if (await payMainPlan({ plan: plan.id, coupon, provider, ...paid })) return '';
    const { message } = $checkout.get().paymentError;
    // Shown here, and not at the card form.
    forgetFailure();
    return message;
  }
  useOnHydrate(() => {
    const returned = takeBankReturn();
    if (returned && $signup.get().token) {
      setPending(true);
      void finish(returned.paymentId)
        .catch((error) => {
          void stayed().then(() => reportError('island_failed', { type: (error as Error).name }));
          return words.payment;
        })
        .then((message) => {
          setFailure(message);
          setPending(false);
          if (message) place.current?.scrollIntoView({ block: 'center' });
        });
    }
    // The bank's app may return to another browser, which has to sign in first.
    else if (returned?.isPaid) void navigate('/success');
  });

  return (
    <>
      <p ref={place} className={`error ${styles.returned}`} role="alert">
        {failure}
      </p>
      <LoadingOverlay enabled={pending} message={words.processing} />
    </>
  );
}
