import styles from './segmented-progress.module.css';

type Props = {
  total: number;
  done: number;
  label: string;
};

export function SegmentedProgress({ total, done, label }: Props) {
  const segments = Array.from({ length: total }, (_, at) => at);
  return (
    <div
      className={styles.line}
      role="progressbar"
      aria-label={label}
      aria-valuenow={done}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      {segments.map((at) => (
        <span
          key={at}
          className={at < done ? styles.done : at === done ? styles.now : styles.rest}
        />
      ))}
    </div>
  );
}
