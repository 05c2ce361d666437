import styles from './order-table.module.css';

type Props = {
  title: string;
  /** Whose sum it is, such as `7-day intro`. */
  name: string;
  /** What is charged today: its word and its amount, the largest. */
  today: readonly [label: string, amount: string];
  /** Renewal, discount: word and sentence. */
  rows: readonly (readonly [label: string, text: string])[];
  /** What ends it. */
  note: string;
};

/** The sums of one plan before the visitor pays: today, then, discount. All words come written out. */
export function OrderTable({ title, name, today, rows, note }: Props) {
  return (
    <section className={styles.summary}>
      <h2 className={styles.title}>
        {title}
        <span className={styles.name}>{name}</span>
      </h2>
      <dl className={styles.rows}>
        <div className={styles.total}>
          <dt>{today[0]}</dt>
          <dd>{today[1]}</dd>
        </div>
        {rows.map(([label, text]) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{note}</p>
    </section>
  );
}
