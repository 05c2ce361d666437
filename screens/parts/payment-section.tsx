import CardForm from '../../islands/card-form.tsx';
import RevealCardForm from '../../islands/reveal-card-form.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { RadioCard } from '../../islands/ui/radio-card.tsx';
import WalletButtons from '../../islands/wallet-buttons.tsx';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { Text } from '../../locales/index.ts';
import type { ScreenProps } from '../../worker/page-types.ts';
import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import { Icon } from './icon.tsx';
import { PaymentLogo } from './payment-logo.tsx';
import styles from './payment-section.module.css';
import { billName } from './plan-labels.ts';

const cards = ['visa', 'mastercard', 'amex', 'discover'] as const;

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

/** Not translated. */
const wallets = { apple: 'Apple Pay', google: 'Google Pay', paypal: 'PayPal' } as const;

/** Card or wallet; CSS shows the selection, so it works before hydration. */
function PayMethods({ t, paypal }: { t: Text; paypal: boolean }) {
  const wallet = (
    <span className={`row ${styles.logos}`}>
      <span className={styles.apple}>
        <PaymentLogo name="apple" />
      </span>
      <span className={styles.google}>
        <PaymentLogo name="google" />
      </span>
      {paypal && <PaymentLogo name="paypal" />}
    </span>
  );
  const names = (
    <span className={`row wrap ${styles.names}`}>
      <span className={styles.apple}>{wallets.apple}</span>
      <span className={styles.google}>{wallets.google}</span>
      {paypal && <span>{`· ${wallets.paypal}`}</span>}
    </span>
  );
  return (
    <fieldset className={`stack gap-8 ${styles.methods}`}>
      <legend className={styles.title}>{t('checkout.method')}</legend>
      <RadioCard
        name="method"
        value="card"
        label={t('checkout.card')}
        mark={<AcceptedCards label={t('checkout.marks')} />}
        chosen
      />
      <RadioCard name="method" value="wallet" label={names} mark={wallet} />
    </fieldset>
  );
}

const companies: Record<GatewayName, string> = { stripe: 'Stripe', braintree: 'Braintree' };

function ProviderLogo({ t, provider }: { t: Text; provider: GatewayName }) {
  return (
    <p className={`tiny row ${styles.provider}`}>
      {t('checkout.by')}
      <b className={styles.company} translate="no">
        {companies[provider]}
      </b>
    </p>
  );
}

/** Approved in each provider's test mode. */
const testCards = { stripe: '4242 4242 4242 4242', braintree: '4111 1111 1111 1111' } as const;

type Props = ScreenProps & {
  /** Whether wallets come before the card; otherwise the buyer selects a method. */
  oneClick: boolean;
  /** The provider that the screen forces. */
  provider?: GatewayName | null;
  /** Whether the screen's Continue button opens this section. */
  revealedByContinue?: boolean;
};

const facts = [
  ['consent', 'people'],
  ['cancel', 'back'],
  ['secure', 'ssl'],
] as const;

/** Payment methods and legal notices beside the button. */
export function PaymentSection({
  page,
  t,
  text,
  oneClick,
  provider = null,
  revealedByContinue = false,
}: Props) {
  const words = text['card-form'];
  const { network, unknown, checking, payment, challenge } = words;
  const taker = provider === 'braintree' && !page.braintree ? null : provider;
  const gateway = taker ?? page.gateway;
  const paypal = page.paypal && gateway === 'braintree';
  const plans = [...page.plans, ...page.plansAfterOffer];
  const walletButtons = (
    <div className={styles.wallets} data-wallets="">
      <Island
        of={WalletButtons}
        when={oneClick ? 'idle' : 'visible'}
        text={text['wallet-buttons']}
        texts={{ network, unknown, checking, payment, challenge, default: words.default }}
        plans={plans}
        productNames={plans.map((plan) => billName(plan, t))}
        language={page.language}
        vendors={page.vendors}
        orderButton={page.market.orderButton}
        stripe={page.stripe}
        provider={provider}
        paypal={paypal}
        google={page.googlePay}
        processing={words.processing}
        walletsOnly={!oneClick}
      />
    </div>
  );
  return (
    <section className={`stack gap-12 ${styles.pay}`}>
      {!oneClick && <PayMethods t={t} paypal={paypal} />}
      {walletButtons}
      {oneClick && (
        <div className={styles.asks}>
          <Island of={RevealCardForm} when="load" label={t('checkout.pay')} sectionId="card" />
        </div>
      )}
      <div
        className={
          oneClick ? `stack gap-12 ${styles.card} ${styles.closed}` : `stack gap-12 ${styles.card}`
        }
        id="card"
        tabIndex={-1}
      >
        {oneClick && (
          <div className={`row spread wrap ${styles.head}`}>
            <h2 className="title-small">{t('checkout.pay')}</h2>
            <AcceptedCards label={t('checkout.marks')} />
          </div>
        )}
        <Island
          of={CardForm}
          when="idle"
          text={{
            ...words,
            test: page.test ? interpolate(words.test, { card: testCards[gateway] }) : '',
          }}
          plans={plans}
          language={page.language}
          vendors={page.vendors}
          test={page.test}
          orderButton={page.market.orderButton}
          stripe={page.stripe}
          provider={provider}
          revealedByContinue={revealedByContinue}
          initiallyClosed={oneClick}
        />
      </div>
      <ProviderLogo t={t} provider={gateway} />
      <ul className="stack gap-8">
        {facts.map(([fact, icon]) => (
          <li key={fact} className={`small beside ${styles.fact}`}>
            <Icon name={icon} size={16} />
            {t(`checkout.${fact}`)}
          </li>
        ))}
      </ul>
    </section>
  );
}
