import BankForm from '../../islands/bank-form.tsx';
import CardForm from '../../islands/card-form.tsx';
import failure from '../../islands/checkout/failure.module.css';
import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import PaymentReturn from '../../islands/payment-return.tsx';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import WalletButtons from '../../islands/wallet-buttons.tsx';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { cardWords } from './card-words.ts';
import { Filled } from './filled.tsx';
import { Icon } from './icon.tsx';
import { cards, PaymentLogo } from './payment-logo.tsx';
import styles from './payment-section.module.css';
import { planName } from './plan-labels.ts';
import { Renewal } from './renewal.tsx';

function AcceptedCards({ label }: { label: string }) {
  return (
    <span className={`row ${styles.cards}`}>
      <span className="visually-hidden">{label}</span>
      {cards.map((name) => (
        <PaymentLogo key={name} name={name} />
      ))}
    </span>
  );
}

type Props = ScreenProps & {
  /** Whether the card form below the wallets opens only on the visitor's request. */
  oneClick: boolean;
  provider: GatewayName | null;
  revealedByContinue: boolean;
};

const paymentProps = ({ language, fakesPath, checkout }: ScreenProps['page']) => ({
  plans: [...checkout.plans, ...checkout.plansAfterOffer],
  language,
  vendors: fakesPath,
  stripe: checkout.stripe,
});

function Wallets({ page, t, text, oneClick, provider }: Props) {
  const words = text['card-form'];
  const closed = `${text['wallet-buttons'].closed} ${t('notice.declined.lead')}`;
  const payments = paymentProps(page);
  const { offersPayPal, stripeWallets, googlePay } = page.checkout;
  return (
    <div className={styles.wallets} data-wallets="">
      <Island
        of={WalletButtons}
        when="idle"
        // In the order of the card form's texts, which the compression finds again.
        text={{
          ...text['wallet-buttons'],
          closed,
          processing: words.processing,
          network: words.network,
          unknown: words.unknown,
          checking: words.checking,
          default: words.default,
          payment: words.payment,
          failed: words.failed,
          challenge: words.challenge,
          reload: words.reload,
          manage: words.manage,
          support: words.support,
          lost: words.lost,
          broken: words.broken,
          after: words.after,
          plans: words.plans,
        }}
        {...payments}
        productNames={payments.plans.map((plan) => planName(plan, t))}
        orderButton={page.market.orderButton}
        provider={provider}
        paypal={offersPayPal}
        stripeWallets={stripeWallets}
        google={googlePay}
        cardClosed={oneClick}
      />
      <p className={`card ${styles.email}`}>
        <span className="fine-print">{text['sign-in-again'].email}</span>
        <br />
        <bdi data-fill="signup.email" dir="ltr" />
      </p>
    </div>
  );
}

function Card({ page, t, text, oneClick, provider, revealedByContinue }: Props) {
  const { gateways, defaultGateway } = page.checkout;
  const refused = t('checkout.refused', { method: '{{value}}' });
  return (
    <div
      className={`stack gap-8 ${styles.card}${oneClick ? ` ${styles.closed}` : ''}`}
      id="card"
      tabIndex={-1}
    >
      <div className={`stack gap-8 ${styles.again}`} id="again" tabIndex={-1}>
        <p
          className={`small notice ${failure.failure}`}
          data-need="checkout.declinedMethod"
          data-missing=""
        >
          <Icon name="alert" />
          <span>
            <b className={styles.retype}>
              <Filled
                text={t('checkout.again', { method: '{{value}}' })}
                field="checkout.declinedMethod"
              />
            </b>
            <Filled
              text={`${refused} ${t('notice.declined.lead')}`}
              field="checkout.declinedMethod"
            />
          </span>
        </p>
        <Island
          of={CardForm}
          when="idle"
          text={{
            ...cardWords({ page, text }),
            secure: t('checkout.secure'),
            by: t('checkout.by'),
            bank: t('checkout.bank'),
            other: t('notice.declined.other'),
          }}
          {...paymentProps(page)}
          test={page.isTestMode}
          orderButton={page.market.orderButton}
          provider={provider}
          likely={provider && gateways.includes(provider) ? provider : defaultGateway}
          revealedByContinue={revealedByContinue}
          initiallyClosed={oneClick}
        />
      </div>
    </div>
  );
}

/** Wallets first, then the card; if no wallet works, the buyer's e-mail takes their place. */
export function PaymentSection(props: Props) {
  const { page, t, text, oneClick } = props;
  const { bankMethods, stripeWallets, seller, plans, plansAfterOffer } = page.checkout;
  const hasBanks = Object.values(bankMethods).some((methods) => methods.length > 0);
  const payments = { pay: text['card-form'], ...paymentProps(page) };
  const renewal = (plan: PlanView) => (
    <p key={plan.id}>
      <Renewal page={page} t={t} plan={plan} />
    </p>
  );
  return (
    <section
      className={`stack gap-12 ${styles.pay}`}
      id="methods"
      tabIndex={-1}
      aria-label={t('checkout.method')}
    >
      {(hasBanks || stripeWallets.includes('paypal')) && (
        <Island of={PaymentReturn} when="load" text={text['payment-return']} {...payments} />
      )}
      <div className="stack">
        <Wallets {...props} />
        <div className={`row spread gap-8 ${styles.head}`} data-or={text['wallet-buttons'].or}>
          <h2 className="title-small">{t('checkout.pay')}</h2>
          <AcceptedCards label={t('checkout.marks')} />
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
      <Card {...props} />
      {hasBanks && (
        <Island
          of={BankForm}
          when="idle"
          text={text['bank-form']}
          {...payments}
          methods={bankMethods}
          orderButton={page.market.orderButton}
        />
      )}
      <div className={`note center ${styles.terms}`}>
        <PerPlan offer={plans.map(renewal)} plansAfterOffer={plansAfterOffer.map(renewal)} />
        <p>{t('checkout.cancel')}</p>
      </div>
      <p className={`tiny center ${styles.end}`}>
        {`${t('receipt.seller')} · ${seller}`}
        {(['terms', 'refunds'] as const).map((link) => (
          <a className="tap" key={link} href={page.legal[link]} target="_blank" rel="noreferrer">
            {t(`common.${link}`)}
          </a>
        ))}
      </p>
    </section>
  );
}
