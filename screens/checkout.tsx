import type { ComponentProps } from 'react';
import JumpToPayment from '../islands/jump-to-payment.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import { PaymentLayout } from './parts/payment-layout.tsx';
import { PlanColumn } from './parts/plan-column.tsx';

type Props = Pick<
  ComponentProps<typeof PaymentLayout>,
  'page' | 't' | 'text' | 'primaryMethod' | 'provider'
> & {
  /** `column`: cards below each other; `row`: upright cards side by side. */
  plans: 'column' | 'row';
};

export function Checkout({ plans, ...props }: Props) {
  const { page, t, text } = props;
  const { pay, order, trial, due, paying } = text['card-form'];
  const button = (
    <Island
      of={JumpToPayment}
      when="load"
      text={{
        go: t('checkout.go'),
        card: t('checkout.pay'),
        entered: t('checkout.entered'),
        pay,
        order,
        trial,
        due,
        paying,
      }}
      language={page.language}
      orderButton={page.market.orderButton}
      sectionId="pay"
    />
  );
  return (
    <PaymentLayout {...props} button={button}>
      <PlanColumn page={page} t={t} text={text} narrowCards={plans === 'row'} />
    </PaymentLayout>
  );
}
