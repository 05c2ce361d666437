import { expect, it } from 'vitest';
import { Guide } from '../../screens/guide.tsx';
import { MailedLink } from '../../screens/mailed-link.tsx';
import { OpenApp } from '../../screens/open-app.tsx';
import { htmlOf, props, wordsOf } from './page.tsx';

it.each([
  ['/d', <OpenApp key="d" {...props} />],
  ['/m', <MailedLink key="m" {...props} />],
  ['/guide', <Guide key="guide" {...props} />],
])('%s says without JavaScript what it needs', (_, screen) => {
  const [, said = ''] = /<noscript>(.*?)<\/noscript>/.exec(htmlOf(screen)) ?? [];
  expect(wordsOf(said)).toMatch(/^This (page|guide) needs JavaScript/);
});
