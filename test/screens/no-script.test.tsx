import { expect, it } from 'vitest';
import { Guide } from '../../screens/guide.tsx';
import { Invited } from '../../screens/invited.tsx';
import { OpenAppScreen } from '../../screens/open-app.tsx';
import { SignInLinkScreen } from '../../screens/sign-in-link.tsx';
import { htmlOf, props, wordsOf } from './page-fixture.tsx';

it.each([
  ['/d', <OpenAppScreen key="d" {...props} />],
  ['/m', <SignInLinkScreen key="m" {...props} />],
  ['/guide', <Guide key="guide" {...props} />],
  ['/i', <Invited key="i" {...props} />],
])('no script: %s says what requires JavaScript', (_, screen) => {
  const [, noscript = ''] = /<noscript>(.*?)<\/noscript>/.exec(htmlOf(screen)) ?? [];
  expect(wordsOf(noscript)).toMatch(/^This (page|guide) needs JavaScript/);
});

it('no script: the invitee page has the helpline and the quick exit', () => {
  const html = htmlOf(<Invited {...props} />);
  const [, noscript = ''] = /<noscript>(.*?)<\/noscript>/.exec(html) ?? [];
  expect(wordsOf(noscript)).toContain('reply STOP');
  expect(noscript).toContain('href="tel:0100"');
  expect(html).toMatch(/<a [^>]*href="https:[^"]+" rel="noreferrer" data-leave/);
});
