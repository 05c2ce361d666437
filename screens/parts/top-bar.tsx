import type { ScreenProps } from '../../worker/page-types.ts';
import { Logo } from './logo.tsx';
import styles from './top-bar.module.css';

/**
 * A bar of 48 px with the logo, which links to the funnel except for invitees. Badges mark test
 * mode and previews.
 */
export function TopBar({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const outside = page.entry && page.path !== page.first && page.kind !== 'private';
  return (
    <header className={`row spread gap-12 ${styles.bar}`}>
      {outside ? (
        <a className={styles.home} href={page.first}>
          <Logo theme={page.theme} />
        </a>
      ) : (
        <Logo theme={page.theme} />
      )}
      <span className={styles.marks}>
        {page.preview && (
          <span className="badge">{t('common.preview', { arm: page.preview })}</span>
        )}
        {page.test && <span className="badge">{t('common.test')}</span>}
      </span>
    </header>
  );
}
