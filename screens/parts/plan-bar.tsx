import type { ReactNode } from 'react';
import BarWallet from '../../islands/bar-wallet.tsx';
import type { BarProps } from '../../islands/checkout/bar-line.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { PartProps, ScreenProps } from '../../worker/rendering/page-types.ts';
import { walletProps } from './payment-section.tsx';
import styles from './plan-bar.module.css';
import { planLine } from './plan-labels.ts';

export function barProps({ page, t }: PartProps<'checkout' | 'language'>): BarProps {
  const { plans, plansAfterOffer } = page.checkout;
  return {
    plans,
    plansAfterOffer,
    lines: [...plans, ...plansAfterOffer].map((plan) => planLine(plan, t, page.language)),
    today: t('summary.today'),
    language: page.language,
  };
}

type Props = ScreenProps & {
  provider: GatewayName | null;
  /** Whether Continue opens the payment. */
  closed: boolean;
  children: ReactNode;
};

/** The chosen plan's price above the way to pay it: a wallet of the device where one is available, and a button. */
export function PlanBar({ children, closed, ...props }: Props) {
  return (
    <div className={styles.bar} data-bar="">
      <div className={styles.wallet}>
        <Island
          of={BarWallet}
          when="idle"
          wallets={walletProps(props)}
          unavailable={props.text['wallet-buttons'].unavailable}
          processing={props.text['card-form'].processing}
          sectionId="methods"
          closed={closed}
        />
      </div>
      {children}
    </div>
  );
}
