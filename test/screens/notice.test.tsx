import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Notice } from '../../screens/notice.tsx';
import { htmlOf, props, wordsOf } from './page-fixture.tsx';

const link = (html: string) => html.match(/id="continue-button" href="([^"]+)"/)?.[1];

it('notice: tells a declined buyer that nothing was charged and what to do', () => {
  const html = htmlOf(<Notice {...props} kind="declined" />);
  const words = wordsOf(html);
  expect(words).toContain('Payment declined Declined again. Nothing was charged.');
  for (const hint of ['enough money', 'no limit on online', 'card issuer']) {
    expect(words).toContain(hint);
  }
  expect(link(html)).toBe('/checkout_v3_tr#card');
});

it('notice: a declined buyer gets another method where one was offered, and another card where this one is refused', () => {
  const html = htmlOf(<Notice {...props} kind="declined" />);
  const boxes = html.matchAll(
    /data-need="checkout\.(\w+)" data-missing=""[^>]*>(?:<a [^>]*href="([^"]+)")?/g,
  );
  expect([...boxes].map(([, need, href]) => [need, href])).toEqual([
    ['declinedAgain', undefined],
    ['declined', undefined],
    ['cardRefused', undefined],
    ['declinedAgain', undefined],
    ['declinedWallet', undefined],
    ['otherWallet', '/checkout_v3_tr#methods'],
    ['otherIsGoogle', undefined],
  ]);
  expect(html).toContain('id="same-card" href="/checkout_v3_tr#again"');
  // Hints and a new try are about a card that may be tried again.
  const css = readFileSync('screens/notice.module.css', 'utf8');
  expect(css).toMatch(
    /\.refused:not\(\[data-missing\]\) \+ \.hints,[^}]+\.refused:not\(\[data-missing\]\) ~ div > \.again [^}]+display: none/,
  );
});

it.each([
  ['fallback', 'This page took a wrong turn', '/one_pager'],
  ['crash', 'Unexpected Application Error!', '/one_pager'],
  ['account', 'Your email comes first', '/signup'],
  ['purchase', 'Your plan comes first', '/checkout_v3_tr'],
] as const)('notice: %s has a link that leads on', (kind, title, href) => {
  const html = htmlOf(<Notice {...props} kind={kind} />);
  expect(wordsOf(html)).toContain(title);
  expect(link(html)).toBe(href);
});

it.each(['fallback', 'crash'] as const)('notice: %s shows no invitation', (kind) => {
  const html = htmlOf(<Notice {...props} kind={kind} />);
  expect(html).toContain('data-scene="lost"');
  expect(wordsOf(html)).not.toContain('May I see');
});

it('notice: a refused form shows its error and a link back', () => {
  const message = 'Phone number is incorrect';
  const html = htmlOf(<Notice {...props} kind="form" message={message} href="/one_pager?x=1" />);
  expect(html).toMatch(new RegExp(`<h1 [^>]*>${message}</h1>`));
  expect(link(html)).toBe('/one_pager?x=1');
});
