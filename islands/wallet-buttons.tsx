import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import type { IslandText } from '../locales/index.ts';
import { Failure } from './checkout/failure.tsx';
import { OpenInBrowser } from './checkout/open-in-browser.tsx';
import { watchPlanChoice } from './checkout/plan-choice.ts';
import type { PurchaseTexts } from './checkout/purchase.ts';
import { type PlanWallets, usePlanWallets } from './checkout/use-plan-wallets.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ownInAppPlatform } from './runtime/in-app-browser.ts';
import { $checkout, $walletFailure, offerOtherWallet, showCardForm } from './stores/checkout.ts';
import { OrDivider } from './ui/or-divider.tsx';
import { PageLock } from './ui/page-lock.tsx';
import { Spinner } from './ui/spinner.tsx';
import styles from './wallet-buttons.module.css';

interface Props extends PlanWallets {
  text: IslandText['wallet-buttons'] &
    PurchaseTexts &
    Record<'processing' | 'reload' | 'manage' | 'support' | 'plans', string>;
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

/** Whether the place is closed or below the window, so that nothing in view moves when it goes. */
function isUnseen(place: HTMLElement | null): boolean {
  const { top = 0, height = 1 } = place?.getBoundingClientRect() ?? {};
  return height === 0 || top >= innerHeight;
}

/** Without any wallet, CSS shows the buyer's e-mail there. */
export default function WalletButtons(props: Props) {
  const { text, plans, cardClosed = false } = props;
  const { isCardFormShown } = useStore($checkout, { keys: ['isCardFormShown'], ssr: 'initial' });
  const failure = useStore($walletFailure, { ssr: 'initial' });
  const [wallet, setWallet] = useState<'apple' | 'google' | null>(null);
  const [isGone, setGone] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { state, names, pays, closed, inert } = usePlanWallets(place, props);
  useOnHydrate(() => {
    const device = ownInAppPlatform();
    // Computers have no wallet of their own.
    setWallet(device === 'desktop' ? null : device);
    return watchPlanChoice(plans);
  });
  useEffect(() => {
    if (state === 'offered') offerOtherWallet(names[0] ?? '');
  }, [state, names[0]]);
  useEffect(() => setGone(state === 'none' && isUnseen(box.current)), [state]);
  useCardFormInstead(box, cardClosed && state === 'none' && !wallet);

  // The wallet is still there to be tried again; the card is the other way.
  useEffect(() => {
    if (failure.message) showCardForm(true);
  }, [failure.message]);
  const instead = state === 'none' ? wallet : null;
  const name = names.length === 1 ? names[0] : undefined;
  return (
    <div
      ref={box}
      className={`stack gap-12 top needs-script ${styles.methods}`}
      data-state={instead ? 'instead' : state}
      data-unseen={isGone && !instead ? '' : undefined}
      aria-busy={state === 'looking'}
    >
      <div ref={place} className={styles.place} inert={inert} />
      {failure.message && <Failure {...failure} title={name} text={text} />}
      {closed && name && (
        <p className={`note center ${styles.closed}`} role="status">
          {interpolate(text.closed, { wallet: name })}
        </p>
      )}
      {instead && <OpenInBrowser text={text} wallet={instead} />}
      {cardClosed && !isCardFormShown && (state === 'offered' || instead) && (
        <div className={styles.or}>
          <OrDivider>{text.or}</OrDivider>
        </div>
      )}
      <div className={styles.paying} role="status">
        {pays && (
          <p className="note beside gap-12">
            <Spinner />
            <span>
              <b>{pays}</b>
              <br />
              {text.processing}
            </span>
          </p>
        )}
      </div>
      <PageLock enabled={pays !== ''} />
    </div>
  );
}
