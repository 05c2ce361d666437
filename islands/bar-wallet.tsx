import { useEffect, useRef, useState } from 'react';
import { scrollToSection } from './checkout/scroll-to-section.ts';
import { type PlanWallets, usePlanWallets } from './checkout/use-plan-wallets.ts';
import { propsOf } from './runtime/hydration/plain-step.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $barWallet } from './stores/checkout.ts';
import { setShowCheckout } from './stores/plans.ts';
import styles from './wallet-buttons.module.css';

interface Props {
  sectionId: string;
  /** Whether that section is closed until Continue. */
  closed?: boolean;
}

type WalletProps = Props & { shared: PlanWallets };

function Wallet({ shared, sectionId, closed = false }: WalletProps) {
  const place = useRef<HTMLDivElement>(null);
  const show = () => {
    if (closed) setShowCheckout(true);
    requestAnimationFrame(() => scrollToSection(sectionId));
  };
  const { state, inert } = usePlanWallets(place, shared, {
    single: true,
    show,
  });
  useEffect(() => {
    $barWallet.set(state === 'offered');
    return () => $barWallet.set(false);
  }, [state]);
  return <div ref={place} className={styles.place} data-wallet={state} inert={inert} />;
}

/** The device's own wallet in the bar of phones and tablets. */
export default function BarWallet(props: Props) {
  const [shared, share] = useState<PlanWallets | null>(null);
  useOnHydrate(() => {
    const buttons = document.querySelector('x-island[name=wallet-buttons]');
    if (buttons && !matchMedia('(min-width: 1280px)').matches) share(propsOf(buttons));
  });
  return <div>{shared && <Wallet {...props} shared={shared} />}</div>;
}
