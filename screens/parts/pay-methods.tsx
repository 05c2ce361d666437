import { OptionButton } from '../../islands/ui/radio-card.tsx';
import type { Text } from '../../locales/index.ts';
import { PaymentMarks } from './accepted-cards.tsx';
import styles from './pay-methods.module.css';
import { Mark } from './payment-logo.tsx';

/** The same in every language. */
const brands = { apple: 'Apple Pay', google: 'Google Pay', paypal: 'PayPal' } as const;

/** The choice between the card and a wallet; what is chosen is shown by CSS, before any script. */
export function PayMethods({ t, paypal }: { t: Text; paypal: boolean }) {
  const wallet = (
    <span className={styles.marks}>
      <span className={styles.apple}>
        <Mark name="apple" />
      </span>
      <span className={styles.google}>
        <Mark name="google" />
      </span>
      {paypal && <Mark name="paypal" />}
    </span>
  );
  const names = (
    <span className={styles.names}>
      <span className={styles.apple}>{brands.apple}</span>
      <span className={styles.google}>{brands.google}</span>
      {paypal && <span>{`· ${brands.paypal}`}</span>}
    </span>
  );
  return (
    <fieldset className={styles.methods}>
      <legend className={styles.title}>{t('checkout.method')}</legend>
      <OptionButton
        name="method"
        value="card"
        label={t('checkout.card')}
        mark={<PaymentMarks label={t('checkout.marks')} />}
        chosen
      />
      <OptionButton name="method" value="wallet" label={names} mark={wallet} />
    </fieldset>
  );
}
