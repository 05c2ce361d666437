import type { ReactNode } from 'react';
import styles from './scene.module.css';

type Props = {
  /** Camera cut-out. */
  camera?: 'island' | 'hole';
  /** The time in the status bar; empty for none. */
  clock?: string | undefined;
  /** Screen content, within x 175 to 465 and y 145 to 755. */
  children: ReactNode;
};

/** A phone of 308 by 628 units. */
export function PhoneFrame({ camera = 'island', clock = '9:41', children }: Props) {
  return (
    <>
      <rect className={styles.shade} x="160" y="148" width="320" height="632" rx="58" />
      <rect className={styles.device} x="166" y="136" width="308" height="628" rx="50" />
      <g clipPath="url(#glass)">
        {children}
        {clock && (
          <g transform="translate(204 175)">
            <text className={`${styles.say} ${styles.clock}`}>{clock}</text>
          </g>
        )}
      </g>
      {camera === 'island' ? (
        <rect className={styles.camera} x="282" y="157" width="76" height="20" rx="10" />
      ) : (
        <circle className={styles.camera} cx="320" cy="167" r="8" />
      )}
    </>
  );
}
