import styles from '../order-summary.module.css';

type Props = {
  title: string;
  /** Plan name, such as `7-day intro`. */
  name: string;
  today: readonly [label: string, amount: string];
  rows: readonly (readonly [label: string, text: string])[];
  note: string;
};

export function OrderTable({ title, name, today, rows, note }: Props) {
  return (
    <section className="stack gap-12 line-above">
      <h2 className={`spread title-small ${styles.title}`}>
        {title}
        <span className={`soft ${styles.name}`}>{name}</span>
      </h2>
      <dl className="stack gap-8 tabular">
        <div className={`beside wrap spread ${styles.row} ${styles.total}`}>
          <dt>{today[0]}</dt>
          <dd>{today[1]}</dd>
        </div>
        {rows.map(([label, text]) => (
          <div key={label} className={`note beside wrap spread ${styles.row}`}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="note">{note}</p>
    </section>
  );
}
