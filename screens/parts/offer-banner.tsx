import type { ReactNode } from 'react';
import styles from './offer-banner.module.css';

/**
 * The strip with the offer's countdown, of fixed height. An offer that ended before the page loaded
 * has no strip; one that ends later leaves its space, so nothing moves.
 */
export function OfferBanner({ children }: { children: ReactNode }) {
  return (
    <div className={`banner tabular ${styles.banner}`} data-need="app.offer-active">
      {children}
    </div>
  );
}
