import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './claims.module.css';

const samples = ['users', 'accuracy', 'guarantee'] as const;

export function Claims({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const marked = samples.map((name) => ({ text: t(`claims.${name}`), source: t('claims.sample') }));
  const claims = page.claims.length > 0 || !page.test ? page.claims : marked;
  if (claims.length === 0) return null;
  return (
    <ul className="list">
      {claims.map(({ text, source }) => (
        <li key={text} className={styles.claim}>
          {text}
          <small className={styles.source}>{source}</small>
        </li>
      ))}
    </ul>
  );
}
