import { styles } from 'virtual:stylesheets';
import type { Page } from './page-types.ts';
import { classesOf, type StyleRule, type StyleSelector, selectorText } from './style-rule.ts';

type PageAttributes = Pick<Page, 'theme' | 'language' | 'direction' | 'fonts' | 'kind'>;

const root = ':root';
const namesOf = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);
const tokensIn = (text: string) => namesOf(/var\((--[\w-]+)/g, text);

const needed = new Map<StyleSelector, readonly string[]>();

/** Kept, because every page asks for all selectors. */
function neededBy(selector: StyleSelector): readonly string[] {
  const classes = needed.get(selector) ?? classesOf(selector);
  needed.set(selector, classes);
  return classes;
}

/** Classes and tokens used in the HTML, or in the code of its islands. */
function namedIn(html: string): Set<string> {
  return new Set([
    ...namesOf(/ class="([^"]*)"/g, html).flatMap((list) => list.split(' ')),
    ...namesOf(/<x-island name="([^"]+)"/g, html).flatMap((name) => styles.islands[name] ?? []),
    ...tokensIn(html),
  ]);
}

/** The last value of each used token; of all tokens without `used`. */
function mergeTokens(bodies: string, used: ReadonlySet<string> | null): string {
  const tokens = bodies.split(';').map((token): [string, string] => {
    const colon = token.indexOf(':');
    return [token.slice(0, colon), token.slice(colon)];
  });
  const usedTokens = tokens.filter(([name]) => !name.startsWith('--') || !used || used.has(name));
  return [...new Map(usedTokens)].map((token) => token.join('')).join(';');
}

type ChosenRule = Pick<StyleRule, 'within' | 'body'> & { selector: string };

function rulesFor(
  kind: string,
  html: string | undefined,
  { theme, language, direction, fonts, kind: page }: PageAttributes,
): ChosenRule[] {
  const look: StyleRule['only'] = { theme, language, direction, fonts: fonts?.family, kind: page };
  const facts = ['theme', 'language', 'direction', 'fonts', 'kind'] as const;
  const named = html === undefined ? null : namedIn(html);
  const chosen: ChosenRule[] = [];
  const runs = styles.kinds[kind] ?? [];
  for (const rule of runs.flatMap(([first, count]) => styles.rules.slice(first, first + count))) {
    const [block, selectors, body, only] = rule;
    if (facts.some((fact) => (only?.[fact] ?? look[fact]) !== look[fact])) continue;
    const within = styles.blocks[block] ?? '';
    const matching = selectors.filter((one) =>
      neededBy(one).every((name) => named?.has(name) ?? true),
    );
    const selector = matching.map(selectorText).join();
    const last = chosen.at(-1);
    const continues = last?.within === within && last.selector === root && selector === root;
    if (continues) last.body += `;${body}`;
    else if (selector) chosen.push({ within, selector, body });
  }
  const bodies = chosen.map(({ body }) => body).join(';');
  const used = named && new Set([...named, ...tokensIn(bodies)]);
  return chosen.flatMap((rule) => {
    const [, animation] = /^@keyframes (.+)/.exec(rule.selector) ?? [];
    if (animation) return bodies.includes(animation) ? [rule] : [];
    if (!rule.selector.startsWith(root)) return [rule];
    const body = mergeTokens(rule.body, used);
    return body ? [{ ...rule, body }] : [];
  });
}

function cssFor(kind: string, html: string | undefined, look: PageAttributes): string {
  let css = '';
  let open: string[] = [];
  for (const { within, selector, body } of rulesFor(kind, html, look)) {
    const blocks = within ? within.split('{') : [];
    const differs = blocks.findIndex((block, at) => block !== open[at]);
    const shared = differs < 0 ? blocks.length : differs;
    css += '}'.repeat(open.length - shared);
    css += blocks
      .slice(shared)
      .map((block) => `${block}{`)
      .join('');
    css += `${selector}{${body}}`;
    open = blocks;
  }
  return css + '}'.repeat(open.length);
}

/** Marks the place for a page's CSS. No text contains it. */
export const cssSlot = '\uE002';

/** What the whole page and its islands use or, while it is incomplete, everything of its kind. */
export const withCss = (
  piece: string,
  kind: string,
  look: PageAttributes,
  whole?: string,
): string => piece.replace(cssSlot, () => cssFor(kind, whole, look));
