import BankForm from '../../islands/bank-form.tsx';
import CardForm from '../../islands/card-form.tsx';
import PaymentReturn from '../../islands/payment-return.tsx';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import WalletButtons from '../../islands/wallet-buttons.tsx';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { cardWords } from './card-words.ts';
import { Filled } from './filled.tsx';
import { cards, PaymentLogo } from './payment-logo.tsx';
import styles from './payment-section.module.css';
import { planName } from './plan-labels.ts';

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
  const { network, lost, unknown, checking, payment, failed, challenge, ...words } =
    text['card-form'];
  const { reload, manage, support, processing } = words;
  const payments = paymentProps(page);
  const { offersPayPal, stripeWallets, googlePay } = page.checkout;
  return (
    <div className={styles.wallets} data-wallets="">
      <Island
        of={WalletButtons}
        when="idle"
        text={{ ...text['wallet-buttons'], reload, manage, support }}
        texts={{
          network,
          lost,
          unknown,
          checking,
          payment,
          failed,
          challenge,
          default: words.default,
        }}
        {...payments}
        productNames={payments.plans.map((plan) => planName(plan, t))}
        orderButton={page.market.orderButton}
        provider={provider}
        paypal={offersPayPal}
        stripeWallets={stripeWallets}
        google={googlePay}
        processing={processing}
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
      <p className="note" data-need="checkout.declinedMethod" data-missing="">
        <Filled text={`${refused} ${t('notice.declined.lead')}`} field="checkout.declinedMethod" />
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
  );
}

/** Wallets first, then the card; if no wallet works, the buyer's e-mail takes their place. */
export function PaymentSection(props: Props) {
  const { page, t, text, oneClick } = props;
  const { bankMethods, stripeWallets, seller } = page.checkout;
  const hasBanks = Object.values(bankMethods).some((methods) => methods.length > 0);
  const payments = { pay: text['card-form'], ...paymentProps(page) };
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
      <p className={`note center ${styles.terms}`}>
        {`${t('summary.until')} ${t('checkout.cancel')}`}
      </p>
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
