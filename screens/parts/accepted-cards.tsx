import { Spoken } from '../../islands/ui/visually-hidden.tsx';
import styles from './accepted-cards.module.css';
import { Mark } from './payment-logo.tsx';

const brands = ['visa', 'mastercard', 'amex', 'discover'] as const;

/** The card brands that are accepted, in grey; `label` names them for those who do not see them. */
export function PaymentMarks({ label }: { label: string }) {
  return (
    <span className={styles.marks}>
      <Spoken>{label}</Spoken>
      {brands.map((name) => (
        <Mark key={name} name={name} />
      ))}
    </span>
  );
}
