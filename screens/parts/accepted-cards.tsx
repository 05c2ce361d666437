import { VisuallyHidden } from '../../islands/ui/visually-hidden.tsx';
import styles from './accepted-cards.module.css';
import { PaymentLogo } from './payment-logo.tsx';

const brands = ['visa', 'mastercard', 'amex', 'discover'] as const;

export function AcceptedCards({ label }: { label: string }) {
  return (
    <span className={styles.marks}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {brands.map((name) => (
        <PaymentLogo key={name} name={name} />
      ))}
    </span>
  );
}
