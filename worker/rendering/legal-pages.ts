import type english from '../../locales/en/pages.json';
import { fallback, type Language } from '../../locales/index.ts';
import { pixelSettings } from '../analytics/ad-networks/index.ts';
import { readLanguageFile } from '../content/language-files.ts';
import type { Article, ArticleId } from '../content/page-content.ts';
import type { Env } from '../platform/env.ts';
import { isOneOf } from '../platform/keys.ts';
import type { Log } from '../platform/log.ts';

type Pages = typeof english;

const ids: readonly ArticleId[] = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];

export const isArticleId: (segment: string) => segment is ArticleId = isOneOf(ids);

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

/** In English where the language has none. Lists only cookies that this deployment can set. */
export async function articleOf(
  language: Language,
  id: ArticleId,
  env: Env,
  log: Log,
): Promise<Article> {
  const own = await readLanguageFile<{ pages: Pages }>(language, 'pages', env, log);
  const pages = own?.pages ?? (await import('../../locales/en/pages.json')).default;
  const { title, lead, sections } = pages[id];
  return {
    title,
    lead,
    sections: withoutUnusedCookies(sections, env),
    changed: pages.changed,
    language: own ? language : fallback,
  };
}
