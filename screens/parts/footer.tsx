import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './footer.module.css';
import { Icon } from './icon.tsx';

type Props = PartProps<'kind' | 'language' | 'languageName' | 'languages' | 'legal'>;

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

/** These pages are swapped in, so that a session without storage survives. */
const swappedLinks = new Set<string>(['cancel', 'manage']);

/** The links that concern an invitee. */
const inviteeLinks = new Set<string>(['support', 'privacy', 'terms', 'imprint']);

/** Support and legal links at the end of every screen, outside forms with card fields. */
function LegalLinks({ page, t }: Props) {
  const apart = page.kind === 'payment' ? '_blank' : undefined;
  const invited = page.kind === 'private';
  return (
    <nav className={styles.links} aria-label={t('common.help')}>
      {links
        .filter((link) => !invited || inviteeLinks.has(link))
        .map((link) => (
          <a
            className="tap tiny"
            key={link}
            href={page.legal[link]}
            target={apart}
            data-navigate={!apart && swappedLinks.has(link) ? '' : undefined}
          >
            {t(`common.${link}`)}
          </a>
        ))}
      {/* Our own page reopens the consent question, and not the external one. */}
      {!invited && (
        <a className="tap tiny" href="/cookies#choice" target={apart}>
          {t('common.choice')}
        </a>
      )}
    </nav>
  );
}

/** A form with each language in its own name; works without JavaScript. */
function LanguageSwitch({ page, t }: Props) {
  return (
    <details>
      <summary
        className={`tiny row ${styles.now}`}
        aria-label={`${t('common.language')}: ${page.languageName}`}
      >
        <Icon name="travel" size={16} />
        {page.languageName}
      </summary>
      <form className="row wrap gap-8" method="post" action="/language">
        {page.languages.map(({ code, name }) => (
          <button
            key={code}
            type="submit"
            className={`small-button small ${styles.choice}`}
            name="language"
            value={code}
            lang={code}
            aria-current={code === page.language || undefined}
          >
            {name}
          </button>
        ))}
      </form>
    </details>
  );
}

export function Footer({ page, t }: Props) {
  return (
    <div className={styles.foot}>
      <LegalLinks page={page} t={t} />
      <LanguageSwitch page={page} t={t} />
    </div>
  );
}
