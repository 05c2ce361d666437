import { expect, it } from 'vitest';
import { LegalLinks } from '../../../screens/parts/legal-links.tsx';
import { htmlOf, props } from '../page.tsx';

const elsewhere = { ...props.page.legal, cookies: 'https://elsewhere.example/cookies?a=1' };

it('legal links: cookie settings open our own question, also with an external policy', () => {
  const html = htmlOf(<LegalLinks t={props.t} page={{ ...props.page, legal: elsewhere }} />);
  const links = [...html.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [
    text,
    href,
  ]);
  expect(links.slice(-3)).toEqual([
    ['Cookies', elsewhere.cookies],
    ['Imprint', props.page.legal.imprint],
    ['Privacy choices', '/cookies#choice'],
  ]);
});
