import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import type { IslandText } from '../locales/index.ts';
import { ContinueLink } from './parts/continue-link.tsx';
import { bringUp } from './runtime/bring-up.ts';
import { useWake } from './runtime/use-wake.ts';
import { $plans, setShowCheckout } from './stores/plans.ts';

interface Props {
  text: IslandText['show-checkout'];
  /** Id of the part that the button opens; without script it is the link's target. */
  opens: string;
}

/** The Continue button of a paywall: it opens the checkout below the plans, and is gone then. */
export default function ShowCheckout({ text, opens }: Props) {
  const { showCheckout } = useStore($plans, { keys: ['showCheckout'], ssr: 'initial' });
  // A fresh page starts with the plans: opening what was open before would move them.
  useWake(() => setShowCheckout(false));
  if (showCheckout) return null;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    setShowCheckout(true);
    requestAnimationFrame(() => bringUp(opens, 'start'));
  };
  return <ContinueLink href={`#${opens}`} label={text.continue} onClick={open} />;
}
