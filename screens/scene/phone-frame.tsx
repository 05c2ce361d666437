import type { ReactNode } from 'react';
import styles from './scene.module.css';

type Props = {
  /** Camera cut-out. */
  camera?: 'island' | 'hole';
  /** Screen content, within x 175 to 465 and y 145 to 755. */
  children: ReactNode;
};

/** Spread of each shadow layer. */
const haze = [2, 4, 6, 9, 12, 15, 18, 22, 26, 30, 35, 40];

/** A phone of 308 by 628 units. */
export function PhoneFrame({ camera = 'island', children }: Props) {
  return (
    <>
      {haze.map((out) => (
        <rect
          key={out}
          className={styles.haze}
          x={166 - out}
          y={148 - out}
          width={308 + 2 * out}
          height={628 + 2 * out}
          rx={50 + out}
        />
      ))}
      <path
        className={styles.device}
        d="M163 250h6v50h-6zM163 318h6v50h-6zM471 276h6v76h-6z"
        opacity=".9"
      />
      <rect className={styles.device} x="166" y="136" width="308" height="628" rx="50" />
      <rect className={styles.rim} x="168" y="138" width="304" height="624" rx="48" />
      <g clipPath="url(#glass)">
        {children}
        <g transform="translate(204 175)">
          <text className={`${styles.say} ${styles.clock}`}>9:41</text>
        </g>
        <path className={styles.status} d="M405 174v-4h3v4zM410 174v-7h3v7zM415 174v-10h3v10z" />
        <rect className={styles.status} x="424" y="164" width="19" height="10" rx="3" />
      </g>
      {camera === 'island' ? (
        <rect className={styles.camera} x="282" y="157" width="76" height="20" rx="10" />
      ) : (
        <circle className={styles.camera} cx="320" cy="167" r="8" />
      )}
    </>
  );
}
