import styles from './number-facts.module.css';

type Props = {
  /** International format. */
  number: string;
  /** Word and value of each thing that is known. */
  facts: readonly (readonly [label: string, value: string])[];
  /** Says whose facts they are. */
  note: string;
};

/** What a phone number's registration says, each fact with its word. */
export function NumberFacts({ number, facts, note }: Props) {
  return (
    <div className={styles.facts}>
      <h2 className={styles.number}>
        <bdi dir="ltr">{number}</bdi>
      </h2>
      <dl className={styles.list}>
        {facts.map(([label, value]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{note}</p>
    </div>
  );
}
