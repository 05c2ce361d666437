import { useStore } from '@nanostores/react';
import { type MouseEvent, useEffect, useState } from 'react';
import { money } from '../locales/format/money.ts';
import { cardFormId } from './checkout/card-form-id.ts';
import { PayButton } from './checkout/pay-button.tsx';
import { scrollToSection } from './checkout/scroll-to-section.ts';
import { $barWallet, $cardComplete } from './stores/checkout.ts';
import { $loader } from './stores/pending.ts';
import { $plans, todayOf } from './stores/plans.ts';
import { ContinueLink } from './ui/continue-button.tsx';

interface Props {
  text: Record<'go' | 'card' | 'pay' | 'order' | 'trial' | 'due' | 'paying' | 'entered', string>;
  language: string;
  orderButton: 'pay' | 'order';
  /** Id of the section with the payment methods; also the link's target without JavaScript. */
  sectionId: string;
}

/** Whether an element is in view or was scrolled past; a part below the bar does not count. Null while it is not known. */
function useArrival(selector: string, isPast: boolean): boolean | null {
  const [arrived, setArrived] = useState<boolean | null>(null);
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

/** The bar's button: leads to the payment, and pays once the card is complete; hidden beside what it stands for. */
export default function JumpToPayment({ text, language, orderButton, sectionId }: Props) {
  const isComplete = useStore($cardComplete, { ssr: 'initial' });
  const pending = useStore($loader, { ssr: 'initial' });
  const hasWallet = useStore($barWallet, { ssr: 'initial' });
  const { planDetails: plan, couponDetails: coupon } = useStore($plans, { ssr: 'initial' });
  const arrived = useArrival(
    isComplete ? `#${cardFormId} [type=submit]` : `#${sectionId}`,
    !isComplete,
  );
  if (arrived) return null;
  const jump = (event: MouseEvent) => {
    event.preventDefault();
    scrollToSection(sectionId);
  };
  if (isComplete) {
    // Above a button whose label has no amount, the bar's line says it already, but for a coupon.
    const isShown = plan && (orderButton === 'pay' || coupon !== null);
    const amount = isShown ? money(todayOf(plan, coupon), plan.currency, language) : '';
    return (
      <div className="stack gap-8">
        {arrived === false && <p className="note center">{text.entered}</p>}
        <PayButton
          id="bar-pay"
          form={cardFormId}
          text={text}
          orderButton={orderButton}
          amount={amount}
          isFree={plan !== null && todayOf(plan, coupon) === 0}
          pending={pending}
        />
      </div>
    );
  }
  return (
    <div key={String(hasWallet)} data-beside={hasWallet ? '' : undefined}>
      <ContinueLink
        id="to-payment"
        href={`#${sectionId}`}
        label={hasWallet ? text.card : text.go}
        onClick={jump}
      />
    </div>
  );
}
