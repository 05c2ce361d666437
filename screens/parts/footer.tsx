import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './footer.module.css';
import { LanguageSwitch } from './language-switch.tsx';
import { LegalLinks } from './legal-links.tsx';

export function Footer({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <div className={styles.foot}>
      <LegalLinks page={page} t={t} />
      <LanguageSwitch page={page} t={t} />
    </div>
  );
}
