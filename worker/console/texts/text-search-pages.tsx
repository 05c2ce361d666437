import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import { screenIds } from '../../experiments/rules/flows.ts';
import { screensWith } from '../../experiments/rules/text-screens.ts';
import type { App } from '../../platform/env.ts';
import { consolePage } from '../parts/console-response.tsx';
import { type LiveTexts, liveTexts } from '../publishing/live-texts.ts';
import { keysShownIn, keysWith } from './rules/find-texts.ts';
import { keysOn, sectionOf } from './rules/text-screens.ts';
import { shownText, stateWord, textState } from './rules/texts.ts';
import { TextSearch } from './screens/text-search.tsx';
import { type LiveVariant, liveVariants, textFrame } from './text-frames.ts';

const maxFound = 40;

function marksOf(key: string, { languages, english }: LiveTexts): string {
  const groups = Map.groupBy(languages, (own) => textState(key, own, english));
  return (['published', 'missing', 'outdated'] as const)
    .flatMap((state) => {
      const found = groups.get(state) ?? [];
      const tags = found.map(({ tag }) => tag).join(', ');
      return found.length > 0 ? [`${stateWord(state)}: ${tags}`] : [];
    })
    .join('; ');
}

const shownTo = (variants: readonly LiveVariant[], screen: string) =>
  variants.filter(({ screens }) => screens.includes(screen)).map(({ key }) => key);

/** The keys that a search finds; without a query, the texts that differ between languages. */
function keysFound(query: string, texts: LiveTexts): string[] {
  const { languages, english } = texts;
  if (query === '') return Object.keys(english.builtIn).filter((key) => marksOf(key, texts) !== '');
  const named = keysWith(query, languages, english);
  return named.length > 0 ? named : keysShownIn(query, languages, english);
}

/** The page that shows a published text, preferably one in a live flow; for another language, a preview. */
async function pageOf(
  c: Context<App>,
  { key, lng }: { key: string; lng: string },
  variants: readonly LiveVariant[],
): Promise<string> {
  const screens = screensWith(key);
  const screen = screens.find((id) => shownTo(variants, id).length > 0) ?? screens[0];
  if (!screen) return '';
  return lng === 'en' ? `/${screen}` : textFrame(c, variants, { screen, lng });
}

export async function showTexts(c: Context<App>): Promise<Response> {
  const [texts, variants] = await Promise.all([liveTexts(c), liveVariants(c)]);
  const { english } = texts;
  const { q = '', screen: chosen, published, lng: wanted } = c.req.query();
  const tags = texts.languages.map(({ tag }) => tag);
  const lng = tags.find((tag) => tag === wanted) ?? english.tag;
  const query = q.trim().slice(0, 200);
  const screen = screenIds.find((id) => id === chosen);
  const all = Object.keys(english.builtIn);
  const own = screen && keysOn(screen, all);
  const asked = own && !query ? own : keysFound(query, texts);
  const found = own ? asked.filter((key) => own.includes(key)) : asked;
  const [only] = found;
  if (c.req.query('open') === '1' && only && found.length === 1) {
    return c.redirect(`/console/texts/edit?key=${encodeURIComponent(only)}`, 303);
  }
  const inEnglish = (key: string) => shownText(key, english, english);
  const marked = new Set(screen || query ? [] : found);
  return consolePage(
    c,
    <TextSearch
      published={
        published === undefined ? null : await pageOf(c, { key: published, lng }, variants)
      }
      query={query}
      screens={(screen || query ? [] : screenIds).map((id) => {
        const keys = keysOn(id, all);
        return {
          id,
          title: inEnglish(keys.find((key) => /\btitle$/.test(key)) ?? ''),
          variants: shownTo(variants, id).join(', '),
          count: keys.length,
          wrong: keys.filter((key) => marked.has(key)).length,
        };
      })}
      screen={
        screen ? { id: screen, address: await textFrame(c, variants, { screen, lng }), lng } : null
      }
      languages={tags}
      rows={found.slice(0, screen ? found.length : maxFound).map((key) => ({
        key,
        section: sectionOf(key),
        english: inEnglish(key),
        marks: marksOf(key, texts),
      }))}
      count={found.length}
      script={screen ? (chunks['console-preview'] ?? '') : ''}
    />,
  );
}
