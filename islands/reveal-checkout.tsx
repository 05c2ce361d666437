import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import { scrollToSection } from './checkout/scroll-to-section.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $barWallet } from './stores/checkout.ts';
import { $plans, setShowCheckout } from './stores/plans.ts';
import { ContinueLink } from './ui/continue-button.tsx';

interface Props {
  text: Record<'go' | 'card', string>;
  /** Id of the section to open; also the link's target without JavaScript. */
  sectionId: string;
}

/** The bar's button of a paywall: opens the checkout below the plans, then disappears. */
export default function RevealCheckout({ text, sectionId }: Props) {
  const { showCheckout } = useStore($plans, { keys: ['showCheckout'], ssr: 'initial' });
  const hasWallet = useStore($barWallet, { ssr: 'initial' });
  // A new page starts closed, unless its URL targets a part of it; restoring the open state would move the plans.
  useOnHydrate(() => setShowCheckout(document.querySelector(`#${sectionId} :target`) !== null));
  if (showCheckout) return null;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    setShowCheckout(true);
    requestAnimationFrame(() => scrollToSection(sectionId));
  };
  return (
    <div key={String(hasWallet)} data-beside={hasWallet ? '' : undefined}>
      <ContinueLink href={`#${sectionId}`} label={hasWallet ? text.card : text.go} onClick={open} />
    </div>
  );
}
