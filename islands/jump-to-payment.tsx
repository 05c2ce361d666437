import { type MouseEvent, useState } from 'react';
import { scrollToSection } from './checkout/scroll-to-section.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ContinueLink } from './ui/continue-button.tsx';

interface Props {
  label: string;
  /** Id of the section with the payment methods; also the link's target without JavaScript. */
  sectionId: string;
}

/** A link from the plans to the payment; hidden while the payment is in view or above it. */
export default function JumpToPayment({ label, sectionId }: Props) {
  const [arrived, setArrived] = useState(false);
  useOnHydrate(() => {
    const section = document.getElementById(sectionId);
    if (!section || !('IntersectionObserver' in globalThis)) return;
    const watch = new IntersectionObserver(
      ([entry]) => entry && setArrived(entry.isIntersecting || entry.boundingClientRect.top < 0),
      // The visible part must be taller than the bar that covers it.
      { rootMargin: '0px 0px -240px' },
    );
    watch.observe(section);
    return () => watch.disconnect();
  });
  if (arrived) return null;
  const jump = (event: MouseEvent) => {
    event.preventDefault();
    scrollToSection(sectionId);
  };
  return <ContinueLink id="to-payment" href={`#${sectionId}`} label={label} onClick={jump} />;
}
