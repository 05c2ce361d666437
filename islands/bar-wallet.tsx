import { useEffect, useRef, useState } from 'react';
import { scrollToSection } from './checkout/scroll-to-section.ts';
import { type PlanWallets, usePlanWallets } from './checkout/use-plan-wallets.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $barWallet } from './stores/checkout.ts';
import { setShowCheckout } from './stores/plans.ts';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import styles from './wallet-buttons.module.css';

interface Props {
  wallets: PlanWallets;
  unavailable: string;
  processing: string;
  /** Id of the section with the payment methods, where a failure is shown. */
  sectionId: string;
  /** Whether that section is closed until Continue. */
  closed?: boolean;
}

function Wallet({ wallets, unavailable, processing, sectionId, closed = false }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const onFailure = () => {
    if (closed) setShowCheckout(true);
    requestAnimationFrame(() => scrollToSection(sectionId));
  };
  const { state, pending } = usePlanWallets(place, wallets, {
    unavailable,
    single: true,
    onFailure,
  });
  useEffect(() => {
    $barWallet.set(state === 'offered');
    return () => $barWallet.set(false);
  }, [state]);
  return (
    <>
      <div ref={place} className={styles.place} data-wallet={state} />
      <LoadingOverlay enabled={pending} message={processing} />
    </>
  );
}

/** The device's own wallet in the bar of phones and tablets; beside the plans the wallets are in view anyway. */
export default function BarWallet(props: Props) {
  const [isShown, setShown] = useState(false);
  useOnHydrate(() => setShown(matchMedia('(max-width: 1279.98px)').matches));
  return <div className={styles.single}>{isShown && <Wallet {...props} />}</div>;
}
