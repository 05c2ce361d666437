import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import type { StripeWallet } from '../worker/catalog/rules/stripe-wallets.ts';
import type { GatewayName } from '../worker/payments/purchase/state.ts';
import { OpenInBrowser } from './checkout/open-in-browser.tsx';
import { watchPlanChoice } from './checkout/plan-choice.ts';
import type { Texts } from './checkout/purchase.ts';
import { useChosenPlan } from './checkout/use-chosen-plan.ts';
import { useWalletPayment } from './checkout/use-wallet-payment.ts';
import { useWallets } from './checkout/use-wallets.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ownInAppPlatform } from './runtime/in-app-browser.ts';
import { $checkout, $takeover, showCardForm } from './stores/checkout.ts';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import { OrDivider } from './ui/or-divider.tsx';
import type { GoogleMerchant } from './vendors/payment-provider.ts';
import { walletSum } from './vendors/wallet-amount.ts';
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

/** Opens the card form where no wallet is above it: at once beside the plans, and out of view below them. */
function useCardFormInstead(box: RefObject<HTMLElement | null>, isAlone: boolean): void {
  useEffect(() => {
    const element = box.current;
    if (!isAlone || !element) return;
    if (!('IntersectionObserver' in globalThis)) return showCardForm(true);
    const watch = new IntersectionObserver(([entry]) => {
      const below = entry && entry.boundingClientRect.top >= (entry.rootBounds?.bottom ?? 0);
      const closed = entry && entry.boundingClientRect.height === 0;
      if (below || closed || matchMedia('(min-width: 1280px)').matches) showCardForm(true);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [box, isAlone]);
}

/** Without any wallet, CSS shows the head of the card form there. */
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
  const { plan: chosen, today, code: coupon } = useChosenPlan(plans);
  const { isCardFormShown } = useStore($checkout, { keys: ['isCardFormShown'], ssr: 'initial' });
  const takeover = useStore($takeover, { ssr: 'initial' });
  const [wallet, setWallet] = useState<'apple' | 'google' | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { pending, handlers } = useWalletPayment(texts, text.unavailable);
  const forcedProvider = takeover?.to ?? null;
  const plan = chosen as PlanView;
  const label = productNames[plans.indexOf(plan)] ?? '';

  const state = useWallets(
    place,
    { vendors, language, forcedProvider, preferred, method: 'wallet', fallback },
    {
      sum: { ...walletSum(plan, label, today), coupon },
      paypal,
      stripeWallets,
      buttonLabel: orderButton,
      google,
      ...handlers,
    },
  );
  useOnHydrate(() => {
    const device = ownInAppPlatform();
    // Computers have no wallet of their own.
    setWallet(device === 'desktop' ? null : device);
    return watchPlanChoice(plans);
  });
  useCardFormInstead(box, cardClosed && state === 'none' && !wallet);

  const instead = state === 'none' ? wallet : null;
  return (
    <div
      ref={box}
      className={`stack gap-12 top needs-script ${styles.box}`}
      data-state={instead ? 'instead' : state}
      aria-busy={state === 'looking'}
    >
      <div ref={place} className={styles.place} />
      {instead && <OpenInBrowser text={text} wallet={instead} />}
      {(state !== 'none' || instead) && (
        <OrDivider hidden={state === 'looking'}>
          {cardClosed && !isCardFormShown ? text.or : text.or_card}
        </OrDivider>
      )}
      <LoadingOverlay enabled={pending} message={processing} />
    </div>
  );
}
