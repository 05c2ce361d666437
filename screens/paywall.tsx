import type { ComponentProps } from 'react';
import RevealCheckout from '../islands/reveal-checkout.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import { PaymentLayout } from './parts/payment-layout.tsx';
import { PlanColumn } from './parts/plan-column.tsx';

type Props = Pick<ComponentProps<typeof PaymentLayout>, 'page' | 't' | 'text' | 'primaryMethod'> & {
  /** The leading benefit; null for none. */
  hero: 'map' | 'alerts' | null;
  reviews: boolean;
};

/** Plans first; Continue opens costs and payment below them, or beside them on wide screens. */
export function Paywall({ hero, reviews, ...props }: Props) {
  const { page, t, text } = props;
  const button = (
    <Island
      of={RevealCheckout}
      when="load"
      text={{ go: t('checkout.go'), card: t('checkout.pay') }}
      sectionId="pay"
    />
  );
  return (
    <PaymentLayout
      {...props}
      button={button}
      alert={hero === 'alerts'}
      moreReviews={reviews}
      revealedByContinue
    >
      <PlanColumn page={page} t={t} text={text} hero={hero} narrowCards />
    </PaymentLayout>
  );
}
