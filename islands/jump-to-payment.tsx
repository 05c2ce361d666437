import { useStore } from '@nanostores/react';
import { type MouseEvent, useEffect, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import { BarLine, type BarProps } from './checkout/bar-line.tsx';
import { cardFormId } from './checkout/card-form-id.ts';
import { scrollToSection } from './checkout/scroll-to-section.ts';
import { useChosenPlan } from './checkout/use-chosen-plan.ts';
import { $barWallet, $cardComplete } from './stores/checkout.ts';
import { ContinueButton, ContinueLink } from './ui/continue-button.tsx';

interface Props {
  text: Record<'go' | 'card' | 'pay' | 'order', string>;
  bar: BarProps;
  orderButton: 'pay' | 'order';
  /** Id of the section with the payment methods; also the link's target without JavaScript. */
  sectionId: string;
}

/** Whether an element is in view or was scrolled past; a part below the bar does not count. */
function useArrival(selector: string, isPast: boolean): boolean {
  const [arrived, setArrived] = useState(false);
  useEffect(() => {
    const part = document.querySelector(selector);
    if (!part || !('IntersectionObserver' in globalThis)) return;
    const watch = new IntersectionObserver(
      ([entry]) =>
        entry && setArrived(entry.isIntersecting || (isPast && entry.boundingClientRect.top < 0)),
      // The visible part must be taller than the bar that covers it.
      { rootMargin: isPast ? '0px 0px -240px' : '0px' },
    );
    watch.observe(part);
    return () => watch.disconnect();
  }, [selector, isPast]);
  return arrived;
}

/** The bar below the plans: leads to the payment, and pays once the card is complete; hidden beside what it stands for. */
export default function JumpToPayment({ text, bar, orderButton, sectionId }: Props) {
  const isComplete = useStore($cardComplete, { ssr: 'initial' });
  const hasWallet = useStore($barWallet, { ssr: 'initial' });
  const { plan, today } = useChosenPlan([...bar.plans, ...bar.plansAfterOffer]);
  const arrived = useArrival(
    isComplete ? `#${cardFormId} [type=submit]` : `#${sectionId}`,
    !isComplete,
  );
  if (arrived) return null;
  const jump = (event: MouseEvent) => {
    event.preventDefault();
    scrollToSection(sectionId);
  };
  const amount = plan ? money(today, plan.currency, bar.language) : '';
  return (
    <>
      <BarLine
        bar={bar}
        paying={isComplete || hasWallet}
        due={isComplete && orderButton === 'order'}
      />
      {isComplete ? (
        <ContinueButton
          id="bar-pay"
          form={cardFormId}
          label={interpolate(text[orderButton], { amount })}
        />
      ) : (
        // A new element, because a link that becomes narrower counts as moved.
        <div key={String(hasWallet)} data-beside={hasWallet ? '' : undefined}>
          <ContinueLink
            id="to-payment"
            href={`#${sectionId}`}
            label={hasWallet ? text.card : text.go}
            onClick={jump}
          />
        </div>
      )}
    </>
  );
}
