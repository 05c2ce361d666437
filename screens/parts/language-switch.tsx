import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './language-switch.module.css';

/** A form with each language in its own name; works without JavaScript. */
export function LanguageSwitch({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <details className={styles.switch}>
      <summary className={styles.now} aria-label={`${t('common.language')}: ${page.languageName}`}>
        <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">
          <path
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18z"
          />
        </svg>
        {page.languageName}
      </summary>
      <form className={styles.list} method="post" action="/language">
        {page.languages.map(({ code, name }) => (
          <button
            key={code}
            type="submit"
            className={`small-button ${styles.choice}`}
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
