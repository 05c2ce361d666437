import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './legal-links.module.css';

const links = [
  'support',
  'cancel',
  'manage',
  'refunds',
  'terms',
  'privacy',
  'cookies',
  'imprint',
] as const;

/** Swapped in, so that a session without storage survives. */
const mine = new Set<string>(['cancel', 'manage']);

/** The links that concern an invitee. */
const theirs = new Set<string>(['support', 'privacy', 'terms', 'imprint']);

/** Support and legal links at the end of every screen, outside forms with card fields. */
export function LegalLinks({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const apart = page.kind === 'payment' ? '_blank' : undefined;
  const invited = page.kind === 'private';
  return (
    <nav className={styles.links} aria-label={t('common.help')}>
      {links
        .filter((link) => !invited || theirs.has(link))
        .map((link) => (
          <a
            className="tap"
            key={link}
            href={page.legal[link]}
            target={apart}
            data-navigate={!apart && mine.has(link) ? '' : undefined}
          >
            {t(`common.${link}`)}
          </a>
        ))}
      {/* Our own page asks for consent, not the external one. */}
      {!invited && (
        <a className="tap" href="/cookies#choice" target={apart}>
          {t('common.choice')}
        </a>
      )}
    </nav>
  );
}
