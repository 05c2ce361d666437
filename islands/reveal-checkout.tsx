import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import type { IslandText } from '../locales/index.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $plans, setShowCheckout } from './stores/plans.ts';
import { ContinueLink } from './ui/continue-link.tsx';

interface Props {
  text: IslandText['reveal-checkout'];
  /** Id of the part that the button opens; without script it is the link's target. */
  opens: string;
}

/** Brings a part of the page that was just opened under the visitor's eyes, and gives it the focus. */
function bringUp(id: string) {
  const part = document.getElementById(id);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  part?.focus({ preventScroll: true });
  part?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}

/** The Continue button of a paywall: it opens the checkout below the plans, and is gone then. */
export default function RevealCheckout({ text, opens }: Props) {
  const { showCheckout } = useStore($plans, { keys: ['showCheckout'], ssr: 'initial' });
  // A fresh page starts with the plans: opening what was open before would move them.
  useOnHydrate(() => setShowCheckout(false));
  if (showCheckout) return null;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    setShowCheckout(true);
    requestAnimationFrame(() => bringUp(opens));
  };
  return <ContinueLink href={`#${opens}`} label={text.continue} onClick={open} />;
}
