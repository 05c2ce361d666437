import { afterEach, expect, it, vi } from 'vitest';
import { carry, parseCarry } from '../../../islands/runtime/carry.ts';
import { fakeBrowser } from '../browser.ts';

afterEach(() => vi.unstubAllGlobals());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('reads what a form without script gave', () => {
  const slices = { map: { phone: '+49 30 ÄÖ', country: 'DE' } };
  const cookies = `userUuid=1; carry=${encode(slices)}; arm=x`;
  expect(parseCarry(cookies, 'http:')).toEqual(slices);
});

it('reads on https only a cookie that no other host could set', () => {
  const [planted, own] = [{ signup: { email: 'thief@example.com' } }, { map: { phone: '123' } }];
  const cookies = `carry=${encode(planted)}; __Host-carry=${encode(own)}`;
  expect(parseCarry(cookies, 'https:')).toEqual(own);
  expect(parseCarry(`carry=${encode(planted)}`, 'https:')).toEqual({});
});

it.each(['', 'carry=', 'carry=%%%', 'carry=e30x', 'xcarry=e30'])(
  'takes %j for nothing',
  (cookies) => {
    expect(parseCarry(cookies, 'http:')).toEqual({});
  },
);

it.each([
  ['http:', 'carry', /^carry=; Max-Age=0; Path=\/$/],
  ['https:', '__Host-carry', /^__Host-carry=; Max-Age=0; Path=\/; Secure$/],
])('moves it on %s into the slices and deletes the cookie', (protocol, name, deleted) => {
  const local = new Map([['funnel:1:map', JSON.stringify({ country: 'US', initCoords: null })]]);
  const session = new Map<string, string>();
  const signup = { access_token: 't', deeplink_token: 'd', email: 'a@b.co' };
  const cookie = `${name}=${encode({ map: { phone: '123' }, signup })}`;
  const { document } = fakeBrowser({ local, session, cookie });
  vi.stubGlobal('location', { protocol });
  carry();
  expect(JSON.parse(local.get('funnel:1:map') ?? '')).toMatchObject({
    phone: '123',
    country: 'US',
  });
  expect(JSON.parse(local.get('funnel:1:signup') ?? '')).toMatchObject({ email: 'a@b.co' });
  expect(session.get('access_token')).toBe('t');
  expect(session.get('deeplinkToken')).toBe('d');
  expect(document.cookie).toMatch(deleted);
});
