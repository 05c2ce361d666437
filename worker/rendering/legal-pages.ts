import type english from '../../locales/en/pages.json';
import { pixelSettings } from '../analytics/pixel-settings.ts';
import type { Env } from '../env.ts';
import type { Article, ArticleId } from '../page-types.ts';

type Pages = typeof english;

const files = import.meta.glob<Pages>('../../locales/*/pages.json', { import: 'default' });

const fallback = 'en';

const ids: readonly ArticleId[] = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];

/** Whether a path segment is the name of a legal or support page. */
export const isArticleId = (segment: string): segment is ArticleId =>
  (ids as readonly string[]).includes(segment);

/** Cookies that others set, each with whether this deployment has those others. */
function foreign(env: Env): Record<string, boolean> {
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

/** The sections without what they list of cookies that nobody sets here. */
function truthful(sections: Article['sections'], env: Env): Article['sections'] {
  const absent = Object.entries(foreign(env)).flatMap(([name, set]) => (set ? [] : [name]));
  const isSet = (point: string) => !absent.some((name) => point.includes(name));
  return sections
    .map((section) =>
      section.points ? { ...section, points: section.points.filter(isSet) } : section,
    )
    .filter(({ points }) => points?.length !== 0);
}

/**
 * A legal or support page; in English where its language has none. Of cookies it names those that
 * this deployment can set.
 */
export async function articleOf(language: string, id: ArticleId, env: Env): Promise<Article> {
  const own = files[`../../locales/${language}/pages.json`];
  const load = own ?? (files[`../../locales/${fallback}/pages.json`] as () => Promise<Pages>);
  const pages = await load();
  const { title, lead, sections } = pages[id];
  return {
    title,
    lead,
    sections: truthful(sections, env),
    changed: pages.changed,
    language: own ? language : fallback,
  };
}
