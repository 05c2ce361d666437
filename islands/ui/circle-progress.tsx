import styles from './circle-progress.module.css';

type Props = {
  /** 0 to 100; clamped. */
  percent: number;
  /** Pixels; below 100 the percentage is not shown. */
  size?: number;
  label: string;
};

export function CircleProgress({ percent, size = 174, label }: Props) {
  const done = Math.round(Math.min(100, Math.max(0, percent)));
  const small = size < 100;
  const stroke = small ? 12 : 6;
  const ring = { cx: 50, cy: 50, r: 50 - stroke / 2, pathLength: 100, strokeWidth: stroke };
  return (
    <div
      className={styles.circle}
      role="progressbar"
      aria-label={label}
      aria-valuenow={done}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <svg width={size} height={size} viewBox="0 0 100 100" aria-hidden="true">
        <circle className={styles.track} {...ring} />
        <circle
          className={styles.done}
          {...ring}
          strokeDasharray={`${done < 100 ? done : 101} 100`}
        />
      </svg>
      {!small && (
        <span className={styles.figure} dir="ltr" aria-hidden="true">
          {done}
          <small>%</small>
        </span>
      )}
    </div>
  );
}
