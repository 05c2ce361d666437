import { expect, test } from 'vitest';
import { open } from '../open-page.ts';

const built = import.meta.glob<{ default: Record<string, string> }>(
  '../../../dist/styles/class-names.json',
  { eager: true },
);

/** The short names of classes. */
const names = Object.values(built)[0]?.default;
if (!names) throw new Error('This test needs a build: run "npm run build" first.');

async function load(path: string, language: string): Promise<string> {
  const { html } = await open(path, { 'accept-language': language });
  expect(html).not.toContain('\uE002');
  return /<style data-css="">(.*?)<\/style>/s.exec(html)?.[1] ?? '';
}

/** The CSS of a page from the cache. */
async function cssOf(path: string, language = 'en'): Promise<string> {
  await load(path, language);
  return load(path, language);
}

/** Values of a token, in light and dark; not another token in its place. */
const valuesOf = (css: string, token: string) =>
  [...css.matchAll(new RegExp(`--${token}:(?!var)([^;}]+)`, 'g'))].map(([, value]) => value);

test.each([
  ['gz', ['#1558d6', '#7fb0ff']],
  ['fl', ['#6b3fd4', '#b79bff']],
  ['fo', ['#0b6e69', '#5cd6cc']],
  ['bb', ['#b4400f', '#ffa37a']],
])('page CSS: theme %s has its own colours in light and dark, once', async (theme, brand) => {
  const css = await cssOf(`/signup?theme=${theme}`);
  expect(valuesOf(css, 'brand')).toEqual(brand);
  expect(valuesOf(css, 'surface')).toHaveLength(2);
});

test.each([
  ['en', ['-apple-system', 'Inter']],
  ['ar', ['"SF Arabic"', 'Cairo']],
  ['ja', ['-apple-system']],
])('page CSS: %s has its own fonts', async (language, first) => {
  const css = await cssOf('/signup', language);
  expect(valuesOf(css, 'font').map((stack) => stack?.split(',')[0])).toEqual(first);
  expect(css.includes('Hiragino')).toBe(language === 'ja');
  expect(css.includes(':lang(')).toBe(['ar', 'ja'].includes(language));
});

test('page CSS: has the classes and tokens of the page and of its islands, and no others', async () => {
  const bare = await cssOf('/one_pager_l1');
  const long = await cssOf('/one_pager_l2');
  // The form marks a wrong number once it is live.
  for (const css of [bare, long]) expect(css).toContain('.error');
  expect([bare, long].map((css) => css.includes('.chevron'))).toEqual([false, true]);
  expect([bare, long].map((css) => css.includes('.bullets'))).toEqual([false, false]);
  expect(
    [await cssOf('/features'), await cssOf('/manage/receipt')].map(
      (css) => valuesOf(css, 'other').length,
    ),
  ).toEqual([2, 0]);
});

test('page CSS: a page that is still being streamed has every rule of its kind', async () => {
  const path = '/searching?theme=gz';
  const streamed = await load(path, 'en');
  const cached = await load(path, 'en');
  const selectors = (css: string) => css.split(/[{}]/).flatMap((part) => part.split(','));
  const all = new Set(selectors(streamed));
  expect(selectors(cached).filter((one) => one.startsWith('.') && !all.has(one))).toEqual([]);
  expect(streamed.length).toBeGreaterThan(cached.length);
  expect(valuesOf(streamed, 'brand')).toEqual(valuesOf(cached, 'brand'));
});

test('page CSS: layers keep their order, and every block is closed', async () => {
  for (const path of ['/one_pager', '/checkout_v3_tr', '/manage', '/nowhere']) {
    const css = await cssOf(path);
    expect(css.indexOf('@layer base{')).toBeGreaterThan(0);
    expect(css.lastIndexOf('@layer base{')).toBeLessThan(css.indexOf('@layer primitives{'));
    expect(css.split('{').length).toBe(css.split('}').length);
  }
});

/** A page of each kind, and a class used only by its kind. */
const kinds = {
  '/one_pager': 'landing-module-list',
  '/searching': 'searching-module-search',
  '/upsell_guide': 'upsell-module-points',
  '/payment_declined': 'notice-module-list',
  '/success': 'success-module-steps',
  '/manage': 'my-account-module-account',
  '/manage/receipt': 'receipt-module-facts',
  '/guide': 'guide-reader-module-contents',
  '/i': 'invited-module-leave',
  '/terms': 'article-module-article',
};

test.each(Object.entries(kinds))(
  'page CSS: %s has only the rules of its own kind',
  async (path, own) => {
    // A theme and language that no other test requests, so that the page is not cached.
    const css = await load(`${path}?theme=bb`, 'it');
    const has = (name: string) => new RegExp(`\\.${names[name]}(?![\\w-])`).test(css);
    expect(Object.values(kinds).filter(has)).toEqual([own]);
  },
);
