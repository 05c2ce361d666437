import { expect, test } from 'vitest';
import { post, refusalOf } from '../request.ts';
import { newAccount } from './account-fixture.ts';

test('other browser link: signs in once', async () => {
  const { headers, email } = await newAccount();
  const answer = await post('/users/me/other-browser-link', {}, headers);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { data } = (await answer.json()) as { data: { link: string } };
  const [, code] = /^http:\/\/localhost\/m#([\w-]{22})$/.exec(data.link) ?? [];
  const opened = await (await post('/sign-in-link/open', { code })).json();
  expect(opened).toMatchObject({ data: { email, paid: false } });
  const again = await refusalOf(await post('/sign-in-link/open', { code }));
  expect(again.slice(0, 2)).toEqual([410, 'sign_in_link_used']);
});

test('other browser link: requires a session', async () => {
  const refused = await refusalOf(await post('/users/me/other-browser-link', {}));
  expect(refused.slice(0, 2)).toEqual([401, 'unauthorized']);
});
