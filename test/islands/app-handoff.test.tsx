import { expect, it } from 'vitest';
import AppHandoff from '../../islands/app-handoff.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('app handoff: reserves the space of the QR code and has no link before it loads', () => {
  const html = htmlOf(<AppHandoff text={text['app-handoff']} />);
  expect(wordsOf(html)).toContain('Preparing your link Get the app Other ways into the app');
  expect(html).not.toMatch(/href=|<dialog/);
});

it('app handoff: hides secondary actions, also the code for another phone, in a disclosure', () => {
  const html = htmlOf(<AppHandoff text={text['app-handoff']} />);
  const [first = '', line] = html.split(/<summary|<\/summary>/);
  expect(first.match(/<a |<button/g)).toHaveLength(1);
  expect(wordsOf(`<summary${line}`)).toBe('Other ways into the app');
  expect(html).toMatch(/<details[^>]*><summary[^>]*>Open on another phone<\/summary>/);
  expect(html).not.toContain('<details open');
});
