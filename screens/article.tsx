import type { ReactNode } from 'react';
import type { Article as Words } from '../worker/content/page-content.ts';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './article.module.css';
import { Icon, type IconName } from './parts/icon.tsx';
import { Layout } from './parts/layout.tsx';
import { Lead } from './parts/page-title.tsx';
import { LinkedText } from './parts/rich-text.tsx';

/** Icons of the questions on the support page, in their order. */
export const supportSigns: readonly IconName[] = [
  'stop',
  'alert',
  'people',
  'back',
  'phone',
  'mail',
  'card',
  'chat',
];

/** Nothing below the lead must be above the fold, so a last sentence of one line stays in one piece. */
const leadWidth = 36;

type Props = Omit<ScreenProps, 'text'> & {
  article: Words;
  /** Company data, and where a renewed period may end early, by placeholder name. */
  company: Readonly<Record<string, string>>;
};

type SectionsProps = { article: Words; say: (text: string) => ReactNode };

/** A press on a question opens its answer. */
function Questions({ article, say }: SectionsProps) {
  return (
    <div className="list">
      {article.sections.map(({ title, text }, at) => (
        <details key={title} className={styles.section}>
          <summary className={`row gap-12 chevron ${styles.topic}`}>
            <Icon name={supportSigns[at] ?? 'chat'} size={24} />
            <h2 className="title-small grow shrink">{title}</h2>
          </summary>
          {text.map((sentences) => (
            <p key={sentences} className={styles.answer}>
              {say(sentences)}
            </p>
          ))}
        </details>
      ))}
    </div>
  );
}

/** A legal text, shown as a whole. */
function Chapters({ article, say }: SectionsProps) {
  return article.sections.map(({ title, text, points = [] }) => (
    <section key={title} className={`stack gap-12 ${styles.section}`}>
      <h2 className="title">{title}</h2>
      {text.map((sentences) => (
        <p key={sentences}>{say(sentences)}</p>
      ))}
      {points.length > 0 && (
        <ul className="bullets stack gap-8">
          {points.map((point) => (
            <li key={point}>{say(point)}</li>
          ))}
        </ul>
      )}
    </section>
  ));
}

export function Article({ page, t, article, company }: Props) {
  const links = { ...page.legal, mail: `mailto:${company.email}` };
  const say = (text: string) => <LinkedText text={text} links={links} facts={company} />;
  const changed = new Intl.DateTimeFormat(article.language, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <Layout page={page} t={t} scene="app" band={false}>
      <article
        className={`stack ${styles.article}`}
        lang={article.language}
        dir={article.language === page.language ? undefined : 'ltr'}
      >
        <header className="stack gap-12">
          <h1 tabIndex={-1}>{article.title}</h1>
          <p className="lead">
            <Lead text={article.lead} upTo={leadWidth} say={say} />
          </p>
          {page.screen === 'support' && (
            <a className={`button link-filled ${styles.contact}`} href={links.mail}>
              <span className={`row gap-12 ${styles.mail}`}>
                <Icon name="mail" />
                <span className="break">{company.email}</span>
              </span>
            </a>
          )}
        </header>
        {page.screen === 'support' ? (
          <Questions article={article} say={say} />
        ) : (
          <Chapters article={article} say={say} />
        )}
        {page.screen !== 'support' && (
          <p className="note">
            {t('article.changed', { date: changed.format(new Date(article.changed)) })}
          </p>
        )}
      </article>
    </Layout>
  );
}
