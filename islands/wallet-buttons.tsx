import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import type { StripeWallet } from '../worker/catalog/rules/stripe-wallets.ts';
import type { GatewayName } from '../worker/payments/purchase/state.ts';
import { OpenInBrowser, requestOtherBrowserLink } from './checkout/open-in-browser.tsx';
import { payMainPlan } from './checkout/pay.ts';
import { watchPlanChoice } from './checkout/plan-choice.ts';
import type { Texts } from './checkout/purchase.ts';
import { useReloadOnRestore, withBankHandover } from './checkout/redirects.ts';
import { useWallets } from './checkout/use-wallets.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ownInAppPlatform } from './runtime/in-app-browser.ts';
import { track } from './runtime/tracking/track.ts';
import { $checkout, $takeover, showCardForm } from './stores/checkout.ts';
import { setError } from './stores/error.ts';
import { $plans, chosenOf, codeFor, todayOf } from './stores/plans.ts';
import { copyAsync } from './ui/copy-async.ts';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import { OrDivider } from './ui/or-divider.tsx';
import { useRequestState } from './ui/use-request-state.ts';
import type { GoogleMerchant } from './vendors/payment-provider.ts';
import { sumOf } from './vendors/wallet-amount.ts';
import styles from './wallet-buttons.module.css';

interface Props {
  text: IslandText['wallet-buttons'];
  texts: Texts;
  /** At least one; names as shown in a wallet's sheet. */
  plans: PlanView[];
  productNames: string[];
  language: string;
  vendors: string;
  orderButton: 'pay' | 'order';
  stripe?: { key: string; name: string };
  provider?: GatewayName | null;
  paypal: boolean;
  /** Wallets that may pay every plan. */
  stripeWallets?: StripeWallet[];
  google: GoogleMerchant;
  /** Shown during a purchase. */
  processing: string;
  /** Whether the card form below opens only on the visitor's request. */
  cardClosed?: boolean;
}

/** Without any wallet, CSS shows the head of the card form there. The form opens at once beside the plans, and out of view below them. */
export default function WalletButtons(props: Props) {
  const { text, texts, plans, productNames, language, vendors, orderButton, paypal } = props;
  const {
    stripe: fallback,
    provider: preferred = null,
    google,
    processing,
    cardClosed = false,
    stripeWallets,
  } = props;
  const { plan: planId, couponDetails } = useStore($plans, {
    keys: ['plan', 'couponDetails'],
    ssr: 'initial',
  });
  const { isCardFormShown } = useStore($checkout, { keys: ['isCardFormShown'], ssr: 'initial' });
  const takeover = useStore($takeover, { ssr: 'initial' });
  const [wallet, setWallet] = useState<'apple' | 'google' | null>(null);
  const [pending, setPending] = useState(false);
  /** Shown where the clipboard is refused. */
  const [link, setLink] = useState('');
  const [copying, copy] = useRequestState(async () => {
    const made = requestOtherBrowserLink();
    await copyAsync(made).catch(async () => setLink(await made));
  });
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const plan = chosenOf(plans, planId) as PlanView;

  const state = useWallets(
    place,
    {
      vendors,
      language,
      forcedProvider: takeover?.to ?? null,
      preferred,
      method: 'wallet',
      fallback,
    },
    {
      sum: {
        ...sumOf(plan, productNames[plans.indexOf(plan)] ?? '', todayOf(plan, couponDetails)),
        coupon: codeFor(plan, couponDetails),
      },
      paypal,
      stripeWallets,
      buttonLabel: orderButton,
      google,
      onStart: ({ gateway }, agreed) =>
        track('subs_purchase_started', { plan: agreed.plan, gateway }),
      onPay: (provider, nonce, agreed, more) => {
        setPending(true);
        const bought = payMainPlan({
          ...more,
          plan: agreed.plan,
          coupon: agreed.coupon,
          provider: more?.method === 'paypal' ? withBankHandover(provider) : provider,
          method: more?.method ?? 'wallet',
          returnPath: location.pathname,
          nonce,
          texts,
        });
        return bought
          .then((paid) => {
            const { show, message } = $checkout.get().paymentError;
            if (!paid && show) setError(message);
            return paid;
          })
          .finally(() => setPending(false));
      },
      onError: ({ gateway }, message, agreed) => {
        const decline_code = message ? 'wallet_refused' : 'unavailable';
        if (agreed) track('subs_purchase_failed', { plan: agreed.plan, gateway, decline_code });
        setError(message || text.unavailable);
      },
    },
  );
  useReloadOnRestore(pending);
  useOnHydrate(() => {
    const device = ownInAppPlatform();
    // Computers have no wallet of their own.
    setWallet(device === 'desktop' ? null : device);
    return watchPlanChoice(plans);
  });
  useEffect(() => {
    const element = box.current;
    if (state !== 'none' || wallet || !cardClosed || !element) return;
    if (!('IntersectionObserver' in globalThis)) return showCardForm(true);
    const watch = new IntersectionObserver(([entry]) => {
      const below = entry && entry.boundingClientRect.top >= (entry.rootBounds?.bottom ?? 0);
      const closed = entry && entry.boundingClientRect.height === 0;
      if (below || closed || matchMedia('(min-width: 1280px)').matches) showCardForm(true);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [state, wallet, cardClosed]);

  const instead = state === 'none' ? wallet : null;
  return (
    <div
      ref={box}
      className={`stack gap-12 top needs-script ${styles.box}`}
      data-state={instead ? 'instead' : state}
      aria-busy={state === 'looking'}
    >
      <div ref={place} className={styles.place} />
      {instead && (
        <OpenInBrowser text={text} wallet={instead} state={copying} link={link} onCopy={copy} />
      )}
      {(state !== 'none' || instead) && (
        <OrDivider hidden={state === 'looking'}>
          {cardClosed && !isCardFormShown ? text.or : text.or_card}
        </OrDivider>
      )}
      <LoadingOverlay enabled={pending} message={processing} />
    </div>
  );
}
