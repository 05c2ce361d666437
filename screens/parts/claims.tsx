import type { ReactNode } from 'react';
import type { Testimonial } from '../../worker/content/page-content.ts';
import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './claims.module.css';
import { Icon } from './icon.tsx';

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

const Reason = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="beside gap-12">
    <Icon name="consent" />
    <span className="stack gap-2 break">
      <span className="strong">{title}</span>
      {children}
    </span>
  </li>
);

/** Reasons that need no review: our policy, who we are, what has a source, and what we cannot do. */
export function Claims({ page, t, className = '' }: Props) {
  const marked = samples.map((name) => ({ text: t(`claims.${name}`), source: t('claims.sample') }));
  const claims = page.claims.length > 0 || !page.isTestMode ? page.claims : marked;
  const { brand, legal } = page;
  return (
    <section className={`stack gap-20 ${className}`}>
      <h2>{t('claims.title', { brand })}</h2>
      <ul className={`stack gap-16 ${styles.reasons}`}>
        <Reason title={t('claims.guarantee')}>
          <a className="tap small" href={legal.refunds}>
            {t('guarantee.link')}
          </a>
        </Reason>
        {claims.map((claim) => (
          <Reason key={claim.text} title={claim.text}>
            <span className="note">{sourceOf(claim, page.language)}</span>
          </Reason>
        ))}
        <Reason title={t('claims.who', { brand, company: page.checkout.seller })}>
          <a className="tap small" href={legal.imprint}>
            {t('common.imprint')}
          </a>
        </Reason>
      </ul>
      <div className="list">
        <p className="padded stack gap-4">
          <span className="strong">{t('limits.title')}</span>
          {limits.map((limit) => (
            <span key={limit} className="note">
              {t(`limits.${limit}`)}
            </span>
          ))}
        </p>
      </div>
    </section>
  );
}
