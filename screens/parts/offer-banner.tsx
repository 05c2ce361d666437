import type { ReactNode } from 'react';
import styles from './offer-banner.module.css';

/**
 * The strip that holds the offer's countdown; its height is there before the countdown is. Over
 * before the page came it is not there at all; over later it leaves its room, so that nothing moves.
 */
export function OfferBanner({ children }: { children: ReactNode }) {
  return (
    <div className={styles.banner} data-need="app.offer-active">
      {children}
    </div>
  );
}
