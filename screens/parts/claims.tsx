import type { PartProps } from '../../worker/rendering/page-types.ts';

const samples = ['users', 'accuracy', 'ai', 'guarantee'] as const;

type Props = PartProps<'brand' | 'claims' | 'isTestMode'> & { className?: string | undefined };

export function Claims({ page, t, className = '' }: Props) {
  const marked = samples.map((name) => ({ text: t(`claims.${name}`), source: t('claims.sample') }));
  const claims = page.claims.length > 0 || !page.isTestMode ? page.claims : marked;
  if (claims.length === 0) return null;
  return (
    <section className={`stack gap-16 ${className}`}>
      <h2>{t('claims.title', { brand: page.brand })}</h2>
      <ul className="list">
        {claims.map(({ text, source }) => (
          <li key={text} className="padded stack">
            <span className="strong">{text}</span>
            <span className="note">{source}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
