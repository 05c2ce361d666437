import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $checkout, showCardForm } from './stores/checkout.ts';
import { ContinueLink } from './ui/continue-link.tsx';

interface Props {
  label: string;
  /** Id of the card form; without script it is the link's target. */
  opens: string;
}

/** The way to the card where wallets come first: it opens the card form in its place, and is gone then. */
export default function RevealCardForm({ label, opens }: Props) {
  const { isCardFormShown } = useStore($checkout, { keys: ['isCardFormShown'], ssr: 'initial' });
  // A fresh page starts with the wallets, unless its address opened the card before any script.
  useOnHydrate(() => showCardForm(location.hash === `#${opens}`));
  if (isCardFormShown) return null;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    showCardForm(true);
    requestAnimationFrame(() => document.getElementById(opens)?.focus());
  };
  return <ContinueLink id="card-button" href={`#${opens}`} label={label} onClick={open} />;
}
