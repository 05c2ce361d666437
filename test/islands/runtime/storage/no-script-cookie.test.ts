import { expect, it, vi } from 'vitest';
import {
  parseNoScriptCookie,
  takeNoScriptState,
} from '../../../../islands/runtime/storage/no-script-cookie.ts';
import { fakeBrowser } from '../../browser.ts';

const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value));

it('no-script cookie: contains the data of a posted form', () => {
  const slices = { map: { phone: '+49 30 ÄÖ', country: 'DE' } };
  const cookies = `userUuid=1; carry=${encode(slices)}; arm=x`;
  expect(parseNoScriptCookie(cookies, 'http:')).toEqual(slices);
});

it('no-script cookie: on https only the __Host- cookie counts', () => {
  const [planted, own] = [{ signup: { email: 'thief@example.com' } }, { map: { phone: '123' } }];
  const cookies = `carry=${encode(planted)}; __Host-carry=${encode(own)}`;
  expect(parseNoScriptCookie(cookies, 'https:')).toEqual(own);
  expect(parseNoScriptCookie(`carry=${encode(planted)}`, 'https:')).toEqual({});
});

it.each(['', 'carry=', 'carry=%%%', 'carry=%7B', 'xcarry=%7B%7D', 'carry=null'])(
  'no-script cookie: %j is ignored',
  (cookies) => {
    expect(parseNoScriptCookie(cookies, 'http:')).toEqual({});
  },
);

it.each([
  ['http:', 'carry', /^carry=; Max-Age=0; Path=\/$/],
  ['https:', '__Host-carry', /^__Host-carry=; Max-Age=0; Path=\/; Secure$/],
])('no-script cookie: is moved on %s into the slices and deleted', (protocol, name, deleted) => {
  const local = new Map([['funnel:1:map', JSON.stringify({ country: 'US', initCoords: null })]]);
  const session = new Map<string, string>();
  const signup = { token: 't', deeplinkToken: 'd', email: 'a@b.co' };
  const cookie = `${name}=${encode({ map: { phone: '123' }, signup })}`;
  const { document } = fakeBrowser({ local, session, cookie });
  vi.stubGlobal('location', { protocol });
  takeNoScriptState();
  expect(JSON.parse(local.get('funnel:1:map') ?? '')).toMatchObject({
    phone: '123',
    country: 'US',
  });
  expect(JSON.parse(local.get('funnel:1:signup') ?? '')).toMatchObject({ email: 'a@b.co' });
  expect(session.get('access_token')).toBe('t');
  expect(session.get('deeplinkToken')).toBe('d');
  expect(document.cookie).toMatch(deleted);
});

it.each(['map', 'answers', 'signup'])(
  'no-script cookie: the slice %s alone is moved too',
  (slice) => {
    const local = new Map<string, string>();
    const { document } = fakeBrowser({
      local,
      session: new Map(),
      cookie: `carry=${encode({ [slice]: { phone: '123' } })}`,
    });
    vi.stubGlobal('location', { protocol: 'http:' });
    takeNoScriptState();
    expect([...local.keys()]).toEqual([`funnel:1:${slice}`]);
    expect(document.cookie).toMatch(/^carry=; Max-Age=0/);
  },
);
