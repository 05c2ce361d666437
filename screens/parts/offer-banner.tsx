import type { ReactNode } from 'react';
import styles from './offer-banner.module.css';

/** The strip that holds the offer's countdown; its height is there before the countdown is. */
export function OfferBanner({ children }: { children: ReactNode }) {
  return <div className={styles.banner}>{children}</div>;
}
