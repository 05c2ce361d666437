import type { Text } from '../../locales/index.ts';
import type { GatewayName } from '../../worker/payments/rules/attempt.ts';
import styles from './provider-logo.module.css';

const names: Record<GatewayName, string> = { stripe: 'Stripe', braintree: 'Braintree' };

export function ProviderLogo({ t, provider }: { t: Text; provider: GatewayName }) {
  return (
    <p className={styles.mark}>
      {t('checkout.by')}
      <b className={styles.name} translate="no">
        {names[provider]}
      </b>
    </p>
  );
}
