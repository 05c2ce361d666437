import { expect, test } from 'vitest';
import { languageName } from '../../../locales/index.ts';
import { Landing } from '../../../screens/landing.tsx';
import { Footer } from '../../../screens/parts/footer.tsx';
import { languages } from '../../locales/flat-texts.ts';
import { htmlOf, page, props } from '../page-fixture.tsx';

const landing = (codes: readonly string[]) => {
  const offered = codes.map((code) => ({ code, name: languageName(code) }));
  const on = { ...props, page: { ...page, languages: offered } };
  return htmlOf(<Landing {...on} variant="one_pager" />);
};

test.each(languages)('language switch: %s adds only its own entry', (added) => {
  const others = languages.filter((language) => language !== added);
  const entry = new RegExp(
    `<button[^>]* value="${added}"[^>]* lang="${added}"[^>]*>[^<]+</button>`,
  );
  const html = landing([...others, added]);
  const [button = ''] = entry.exec(html) ?? [];
  expect(button).toContain(`>${languageName(added)}<`);
  expect(html.replace(button, '')).toBe(landing(others));
  expect(button.length).toBeLessThan(160);
});

test('language switch: each language has its own name once', () => {
  const names = languages.map(languageName);
  expect(new Set(names).size).toBe(languages.length);
  expect(names).toEqual(expect.arrayContaining(['Deutsch', 'English', 'العربية']));
});

const elsewhere = { ...props.page.legal, cookies: 'https://elsewhere.example/cookies?a=1' };

test('legal links: cookie settings open our own question, also with an external policy', () => {
  const html = htmlOf(<Footer t={props.t} page={{ ...props.page, legal: elsewhere }} />);
  const links = [...html.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [
    text,
    href,
  ]);
  expect(links.slice(-3)).toEqual([
    ['Cookies', elsewhere.cookies],
    ['Company details', props.page.legal.imprint],
    ['Privacy choices', '/cookies#choice'],
  ]);
});
