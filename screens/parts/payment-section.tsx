import BankForm from '../../islands/bank-form.tsx';
import CardForm from '../../islands/card-form.tsx';
import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import PaymentReturn from '../../islands/payment-return.tsx';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import WalletButtons from '../../islands/wallet-buttons.tsx';
import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { cards, PaymentLogo } from './payment-logo.tsx';
import styles from './payment-section.module.css';
import { planName } from './plan-labels.ts';

function AcceptedCards({ label }: { label: string }) {
  return (
    <span className={`row wrap ${styles.logos} ${styles.cards}`}>
      <span className="visually-hidden">{label}</span>
      {cards.map((name) => (
        <PaymentLogo key={name} name={name} />
      ))}
    </span>
  );
}

function Renewal({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const line = (plan: PlanView) => {
    const price = money(plan.price, plan.currency, page.language);
    return (
      <div key={plan.id} className={`stack gap-2 small tabular ${styles.renewal}`}>
        <p className="strong">
          {`${t('summary.then')} ${t(`summary.${plan.period}`, { price, date: plan.renewal })}`}
        </p>
        <p>{t('checkout.cancel')}</p>
      </div>
    );
  };
  return <PerPlan offer={page.plans.map(line)} plansAfterOffer={page.plansAfterOffer.map(line)} />;
}

type Props = ScreenProps & {
  /** Whether the card form below the wallets opens only on the visitor's request. */
  oneClick: boolean;
  provider: GatewayName | null;
  revealedByContinue: boolean;
};

/** Wallets first, then the card; if no wallet works, the head of the card form replaces them. */
export function PaymentSection({ page, t, text, oneClick, provider, revealedByContinue }: Props) {
  const words = text['card-form'];
  const { network, unknown, checking, payment, challenge } = words;
  const availableProvider = provider && page.gateways.includes(provider) ? provider : null;
  const gateway = availableProvider ?? page.gateway;
  const plans = [...page.plans, ...page.plansAfterOffer];
  const hasBanks = Object.values(page.bankMethods).some((methods) => methods.length > 0);
  return (
    <section
      className={`stack gap-12 ${styles.pay}`}
      id="methods"
      tabIndex={-1}
      aria-label={t('checkout.method')}
    >
      {(hasBanks || page.stripeWallets.includes('paypal')) && (
        <Island
          of={PaymentReturn}
          when="load"
          text={text['payment-return']}
          pay={words}
          plans={plans}
          language={page.language}
          vendors={page.vendors}
          stripe={page.stripe}
        />
      )}
      <div className={`stack ${styles.start}`}>
        <div className={styles.wallets} data-wallets="">
          <Island
            of={WalletButtons}
            when={oneClick ? 'idle' : 'visible'}
            text={text['wallet-buttons']}
            texts={{ network, unknown, checking, payment, challenge, default: words.default }}
            plans={plans}
            productNames={plans.map((plan) => planName(plan, t))}
            language={page.language}
            vendors={page.vendors}
            orderButton={page.market.orderButton}
            stripe={page.stripe}
            provider={provider}
            paypal={page.paypal}
            stripeWallets={page.stripeWallets}
            google={page.googlePay}
            processing={words.processing}
            cardClosed={oneClick}
          />
        </div>
        <div className={`stack gap-8 top ${styles.head}`}>
          <div className={`row spread wrap ${styles.headline}`}>
            <h2 className="title-small">{t('checkout.pay')}</h2>
            <AcceptedCards label={t('checkout.marks')} />
          </div>
          <p className="note">{t('checkout.bank')}</p>
        </div>
      </div>
      {oneClick && (
        <div className={styles.asks}>
          <Island
            of={RevealCardForm}
            when="load"
            label={t('checkout.pay')}
            labelAlone={t('checkout.card')}
            sectionId="card"
          />
        </div>
      )}
      <div
        className={oneClick ? `${styles.card} ${styles.closed}` : styles.card}
        id="card"
        tabIndex={-1}
      >
        <Island
          of={CardForm}
          when="idle"
          text={{
            ...words,
            secure: t('checkout.secure'),
            by: t('checkout.by'),
            test: page.test ? words.test : '',
          }}
          plans={plans}
          language={page.language}
          vendors={page.vendors}
          test={page.test}
          orderButton={page.market.orderButton}
          stripe={page.stripe}
          provider={provider}
          likely={gateway}
          revealedByContinue={revealedByContinue}
          initiallyClosed={oneClick}
        />
      </div>
      {hasBanks && (
        <Island
          of={BankForm}
          when="idle"
          text={text['bank-form']}
          pay={words}
          plans={plans}
          methods={page.bankMethods}
          language={page.language}
          vendors={page.vendors}
          orderButton={page.market.orderButton}
          stripe={page.stripe}
        />
      )}
      <Renewal page={page} t={t} />
      <p className="note center">{`${t('receipt.seller')} · ${page.seller}`}</p>
    </section>
  );
}
