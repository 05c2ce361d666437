import { Spoken } from '../../islands/parts/spoken.tsx';
import { Mark } from './mark.tsx';
import styles from './payment-marks.module.css';

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
