import { RadioCard } from '../../islands/ui/radio-card.tsx';
import type { Text } from '../../locales/index.ts';
import { AcceptedCards } from './accepted-cards.tsx';
import styles from './pay-methods.module.css';
import { PaymentLogo } from './payment-logo.tsx';

/** Not translated. */
const brands = { apple: 'Apple Pay', google: 'Google Pay', paypal: 'PayPal' } as const;

/** Card or wallet; CSS shows the selection, so it works before hydration. */
export function PayMethods({ t, paypal }: { t: Text; paypal: boolean }) {
  const wallet = (
    <span className={styles.marks}>
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
    <span className={styles.names}>
      <span className={styles.apple}>{brands.apple}</span>
      <span className={styles.google}>{brands.google}</span>
      {paypal && <span>{`· ${brands.paypal}`}</span>}
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
