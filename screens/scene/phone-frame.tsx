import type { ReactNode } from 'react';
import styles from './scene.module.css';

type Props = {
  /** Camera cut-out. */
  camera?: 'island' | 'hole';
  /** Screen content, within x 175 to 465 and y 145 to 755. */
  children: ReactNode;
};

/** Spread of each shadow layer. */
const haze = [4, 14, 30];

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
      <rect className={styles.device} x="166" y="136" width="308" height="628" rx="50" />
      <g clipPath="url(#glass)">
        {children}
        <g transform="translate(204 175)">
          <text className={`${styles.say} ${styles.clock}`}>9:41</text>
        </g>
      </g>
      {camera === 'island' ? (
        <rect className={styles.camera} x="282" y="157" width="76" height="20" rx="10" />
      ) : (
        <circle className={styles.camera} cx="320" cy="167" r="8" />
      )}
    </>
  );
}
