import type { ScreenProps } from '../../worker/funnel/page.ts';
import styles from './legal-links.module.css';

const links = ['support', 'refunds', 'terms', 'privacy'] as const;

/** Support and the legal pages, at the end of every screen. */
export function LegalLinks({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <nav className={styles.links} aria-label={t('common.help')}>
      {links.map((link) => (
        <a key={link} href={page.legal[link]}>
          {t(`common.${link}`)}
        </a>
      ))}
    </nav>
  );
}
