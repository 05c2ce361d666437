import type english from '../../locales/en/pages.json';
import { pixelSettings } from '../analytics/ad-networks/index.ts';
import type { Env } from '../env.ts';
import type { Article, ArticleId } from '../page-types.ts';

type Pages = typeof english;

const files = import.meta.glob<Pages>('../../locales/*/pages.json', { import: 'default' });

const fallback = 'en';

const ids: readonly ArticleId[] = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];

export const isArticleId = (segment: string): segment is ArticleId =>
  (ids as readonly string[]).includes(segment);

function thirdPartyCookies(env: Env): Record<string, boolean> {
  const { meta, tiktok, google, heatmap, appsflyer } = pixelSettings(env) ?? {};
  return {
    g_state: Boolean(env.GOOGLE_CLIENT_ID),
    _fbc: Boolean(meta),
    _ttp: Boolean(tiktok),
    _gcl_au: Boolean(google),
    _clck: Boolean(heatmap),
    afUserId: Boolean(appsflyer),
  };
}

function withoutUnusedCookies(sections: Article['sections'], env: Env): Article['sections'] {
  const unused = Object.entries(thirdPartyCookies(env)).flatMap(([name, set]) =>
    set ? [] : [name],
  );
  const isSet = (point: string) => !unused.some((name) => point.includes(name));
  return sections
    .map((section) =>
      section.points ? { ...section, points: section.points.filter(isSet) } : section,
    )
    .filter(({ points }) => points?.length !== 0);
}

/**
 * A legal or support page, in English where the language has none. It lists only cookies that this
 * deployment can set.
 */
export async function articleOf(language: string, id: ArticleId, env: Env): Promise<Article> {
  const own = files[`../../locales/${language}/pages.json`];
  const load = own ?? (files[`../../locales/${fallback}/pages.json`] as () => Promise<Pages>);
  const pages = await load();
  const { title, lead, sections } = pages[id];
  return {
    title,
    lead,
    sections: withoutUnusedCookies(sections, env),
    changed: pages.changed,
    language: own ? language : fallback,
  };
}
