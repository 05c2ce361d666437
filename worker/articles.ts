import type english from '../locales/en/pages.json';
import type { Article, ArticleId } from './funnel/page.ts';

type Pages = typeof english;

const files = import.meta.glob<Pages>('../locales/*/pages.json', { import: 'default' });

const fallback = 'en';

const ids: readonly ArticleId[] = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];

/** Whether a path segment is the name of a legal or support page. */
export const isArticleId = (segment: string): segment is ArticleId =>
  (ids as readonly string[]).includes(segment);

/** A legal or support page; in English where its language has none. */
export async function articleOf(language: string, id: ArticleId): Promise<Article> {
  const own = files[`../locales/${language}/pages.json`];
  const load = own ?? (files[`../locales/${fallback}/pages.json`] as () => Promise<Pages>);
  const pages = await load();
  return { ...pages[id], changed: pages.changed, language: own ? language : fallback };
}
