import type { ReactNode } from 'react';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { Guarantee } from './guarantee.tsx';
import { Layout, needs } from './layout.tsx';
import { OrderSummarySection } from './order-summary.tsx';
import styles from './payment-layout.module.css';
import { PaymentSection } from './payment-section.tsx';
import { PlanBar } from './plan-bar.tsx';
import { PlanList } from './plan-list.tsx';

type Props = ScreenProps & {
  /** `card`: its form is open below the wallets. `wallets`: it opens on the visitor's request. */
  primaryMethod: 'card' | 'wallets';
  provider?: GatewayName | null;
  revealedByContinue?: boolean;
  alert?: boolean;
  /** The fixed button that leads to the payment. */
  button: ReactNode;
  children: ReactNode;
};

/** Plans, and costs with payment below them, or beside them on wide screens. */
export function PaymentLayout({
  page,
  t,
  text,
  primaryMethod,
  provider = null,
  revealedByContinue = false,
  alert,
  button,
  children,
}: Props) {
  return (
    <Layout
      page={page}
      t={t}
      scene="plan"
      alert={alert}
      band={false}
      need="account"
      missing={{
        offer: (
          <section className="stack gap-12 line-above">
            <h2 className="title">{t('landing.cost.title')}</h2>
            <PlanList page={page} text={text} />
            <p className="note">{t('checkout.cancel')}</p>
            <p className="note">{t('landing.cost.refund')}</p>
          </section>
        ),
      }}
      bottom={
        <PlanBar page={page} t={t}>
          {button}
        </PlanBar>
      }
      order={
        <>
          <OrderSummarySection page={page} t={t} text={text} />
          <PaymentSection
            page={page}
            t={t}
            text={text}
            oneClick={primaryMethod === 'wallets'}
            provider={provider}
            revealedByContinue={revealedByContinue}
          />
        </>
      }
      assurance={<Guarantee page={page} t={t} />}
    >
      {/* Whoever comes back after paying must not fear to pay twice. */}
      <p
        className={`callout row spread gap-12 strong ${styles.paid}`}
        data-need={needs.purchase}
        data-missing=""
      >
        {t('upsell.active')}
        <a href="/success" data-navigate="">
          {t('common.continue')}
        </a>
      </p>
      {children}
    </Layout>
  );
}
