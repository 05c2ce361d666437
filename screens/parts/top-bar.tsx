import type { ScreenProps } from '../../worker/funnel/page.ts';
import { Logo } from './logo.tsx';
import styles from './top-bar.module.css';

/** The bar of 48 px with the logo, and the word 'Test mode' outside production. */
export function TopBar({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <header className={styles.bar}>
      <Logo theme={page.theme} />
      {page.test && <span className={styles.test}>{t('common.test')}</span>}
    </header>
  );
}
