import type { Testimonial } from '../../worker/content/page-content.ts';
import type { PartProps } from '../../worker/rendering/page-types.ts';

const samples = ['users', 'accuracy', 'ai'] as const;
const limits = ['number', 'consent', 'content'] as const;

type Props = PartProps<'brand' | 'checkout' | 'claims' | 'isTestMode' | 'language' | 'legal'> & {
  className?: string | undefined;
};

/** Where a claim can be verified, and of when it is. */
function sourceOf({ source, date }: Testimonial, language: string): string {
  if (!date) return source;
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return `${source}, ${new Intl.DateTimeFormat(language, style).format(new Date(date))}`;
}

/** Reasons that need no review: our policy, who we are, what has a source, and what we cannot do. */
export function Claims({ page, t, className = '' }: Props) {
  const marked = samples.map((name) => ({ text: t(`claims.${name}`), source: t('claims.sample') }));
  const claims = page.claims.length > 0 || !page.isTestMode ? page.claims : marked;
  const { brand, legal } = page;
  return (
    <section className={`stack gap-16 ${className}`}>
      <h2>{t('claims.title', { brand })}</h2>
      <ul className="list">
        <li className="padded stack">
          <span className="strong">{t('claims.guarantee')}</span>
          <a className="text-button small break" href={legal.refunds}>
            {t('guarantee.link')}
          </a>
        </li>
        {claims.map((claim) => (
          <li key={claim.text} className="padded stack">
            <span className="strong">{claim.text}</span>
            <span className="note">{sourceOf(claim, page.language)}</span>
          </li>
        ))}
        <li className="padded stack">
          <span className="strong">
            {t('claims.who', { brand, company: page.checkout.seller })}
          </span>
          <a className="text-button small break" href={legal.imprint}>
            {t('common.imprint')}
          </a>
        </li>
        <li className="padded stack">
          <span className="strong">{t('limits.title')}</span>
          {limits.map((limit) => (
            <span key={limit} className="note">
              {t(`limits.${limit}`)}
            </span>
          ))}
        </li>
      </ul>
    </section>
  );
}
