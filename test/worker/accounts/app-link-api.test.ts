import { expect, test } from 'vitest';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { newAccount } from './account-fixture.ts';

interface Link {
  data: { short_deeplink: string; qr_code: string };
}

interface Token {
  data: { access_token: string };
}

const wrong = [422, 'manual_code_wrong'];

async function get<Body>(path: string, headers: Record<string, string>): Promise<Body> {
  const response = await request(`https://funnel.test/api/v1${path}`, { headers });
  expect(response.headers.get('cache-control')).toBe('no-store');
  return (await response.json()) as Body;
}

async function newLink(headers?: Record<string, string>) {
  const opens = headers ?? (await newAccount()).headers;
  return (await get<Link>('/users/me/deeplink-qr-code', opens)).data;
}

const newCode = async (headers?: Record<string, string>) =>
  codeIn((await newLink(headers)).short_deeplink);

const handCode = async (headers: Record<string, string>) =>
  (await get<{ data: { code: string } }>('/users/me/manual-code', headers)).data.code;

const redeem = (code: unknown) => post('/deeplink/redeem', { code });
const codeIn = (link: string) => new URL(link).hash.slice(1);

test('app link: the code is in the fragment only, and the QR code is an SVG of 256 pixels', async () => {
  const { short_deeplink, qr_code } = await newLink();
  expect(short_deeplink).toMatch(/^https:\/\/funnel\.test\/d#[\w-]{22}$/);
  expect(qr_code).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="256" height="256"/,
  );
  expect(qr_code).not.toContain(codeIn(short_deeplink));
  expect(qr_code).not.toContain('funnel.test');
});

test('app link: the code gives a token of its account once', async () => {
  const code = codeIn((await newLink()).short_deeplink);
  const response = await redeem(code);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { data } = (await response.json()) as { data: { access_token: string } };
  const headers = { authorization: `Bearer ${data.access_token}` };
  expect((await request('/api/v1/users/me/payments-settings', { headers })).status).toBe(200);
  expect(await statusAndCode(redeem(code))).toEqual([410, 'deeplink_used']);
});

const stateOf = async (code: string, headers: Record<string, string> = {}) => {
  const response = await post('/deeplink/check', { code }, headers);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return ((await response.json()) as { data: { state: string; mine: boolean | null } }).data;
};

test('app link: check returns the code’s state and masked e-mail without using it', async () => {
  const [mine, other] = [await newAccount(), await newAccount()];
  const code = await newCode(mine.headers);
  const qr_code = expect.stringMatching(/^<svg /);
  const email = `${mine.email[0]}…@example.com`;
  expect(await stateOf(code)).toEqual({
    state: 'ready',
    email,
    mine: null,
    signed_in_as: null,
    known_here: false,
    confirms: false,
    qr_code,
  });
  expect(await stateOf(code, other.headers)).toMatchObject({
    email,
    mine: false,
    signed_in_as: `${other.email[0]}…@example.com`,
  });
  expect(await stateOf(code, mine.headers)).toMatchObject({ state: 'ready', mine: true });
  expect((await redeem(code)).status).toBe(200);
  expect(await stateOf(code, mine.headers)).toEqual({
    state: 'used',
    email: null,
    mine: true,
    signed_in_as: null,
    known_here: false,
    confirms: false,
    qr_code: null,
  });
  expect(await stateOf(code, other.headers)).toMatchObject({ state: 'used', mine: false });
  expect(await stateOf('unknown', mine.headers)).toMatchObject({ state: 'unknown', mine: null });
});

test('app link: a code used by this account and a code used elsewhere are refused differently', async () => {
  const [mine, other] = [await newAccount(), await newAccount()];
  const code = await newCode(mine.headers);
  await redeem(code);
  const again = (headers = {}) => post('/deeplink/redeem', { code }, headers);
  expect((await refusalOf(await again(mine.headers)))[1]).toBe('deeplink_used');
  expect(await refusalOf(await again(other.headers))).toEqual([
    410,
    'deeplink_used_elsewhere',
    'Another account has already used this link.',
  ]);
});

test('app link: a new link ends the earlier link and the manual code', async () => {
  const { email, headers } = await newAccount();
  const [before, byHand] = [await newCode(headers), await handCode(headers)];
  const response = await post('/users/me/deeplink', {}, headers);
  const { data } = (await response.json()) as Link;
  expect((await refusalOf(await redeem(before)))[1]).toBe('deeplink_expired');
  expect((await post('/deeplink/redeem', { email, code: byHand })).status).toBe(422);
  expect((await redeem(codeIn(data.short_deeplink))).status).toBe(200);
});

test('manual code: signs in once, with any separators', async () => {
  const { id, email, headers } = await newAccount();
  const code = await handCode(headers);
  expect(code).toMatch(/^[A-Z\d]{4}-[A-Z\d]{4}$/);
  expect(await handCode(headers)).toBe(code);
  const typed = { email: ` ${email.toUpperCase()}`, code: code.toLowerCase().replace('-', ' ') };
  const { data } = (await (await post('/deeplink/redeem', typed)).json()) as Token;
  expect(atob(data.access_token.split('.')[1] ?? '')).toContain(id);
  expect(await statusAndCode(post('/deeplink/redeem', typed))).toEqual(wrong);
});

/** A code that is not the account's. */
const wrongCode = (code: string) => (code === 'ACDE-3467' ? 'ACDE-3469' : 'ACDE-3467');
const limited = [429, 'rate_limited'];

test.each([
  ['an IPv4 address', () => '192.0.2.31', 5],
  ['a /64', (at: number) => `2001:db8:51:1::${at}`, 5],
  ['a /48', (at: number) => `2001:db8:52:${at}::1`, 50],
])(
  'manual code: %s may type so many wrong codes, which do not end the code for others',
  async (_, ip, most) => {
    const { email, headers } = await newAccount();
    const code = await handCode(headers);
    let count = 0;
    const tryWith = async (typed: string, by = email) => {
      count += 1;
      const from = { 'cf-connecting-ip': ip(count) };
      const response = await post('/deeplink/redeem', { email: by, code: typed }, from);
      return await statusAndCode(response);
    };
    const guesses = Array.from({ length: most + 3 }, () => tryWith(wrongCode(code)));
    const refusals = await Promise.all(guesses);
    expect(refusals.filter(([status]) => status === 422)).toEqual(Array(most).fill(wrong));
    expect(refusals.filter(([status]) => status !== 422)).toEqual(Array(3).fill(limited));
    expect(await tryWith(code)).toEqual(limited);
    expect(await tryWith(wrongCode(code), 'nobody@example.com')).toEqual(wrong);
    expect(await handCode(headers)).toBe(code);
    const own = await post(
      '/deeplink/redeem',
      { email, code },
      { 'cf-connecting-ip': '192.0.2.32' },
    );
    expect(own.status).toBe(200);
  },
);

test('manual code: one network may type twenty wrong codes for all mailboxes', async () => {
  const from = { 'cf-connecting-ip': '192.0.2.33' };
  const tryWith = async (at: number) => {
    const email = `nobody.${at}@example.com`;
    const response = await post('/deeplink/redeem', { email, code: 'ACDE-3467' }, from);
    return await statusAndCode(response);
  };
  const answers = [];
  for (let at = 0; at < 21; at += 1) answers.push(await tryWith(at));
  expect(answers).toEqual([...Array(20).fill(wrong), limited]);
});

test('manual code: a right code is not counted as wrong', async () => {
  const from = { 'cf-connecting-ip': '192.0.2.34' };
  const { email, headers } = await newAccount();
  for (let at = 0; at < 7; at += 1) {
    const code = await handCode(headers);
    expect((await post('/deeplink/redeem', { email, code }, from)).status).toBe(200);
  }
});

test('manual code: malformed input costs no attempt', async () => {
  const { email, headers } = await newAccount();
  const code = await handCode(headers);
  for (const typed of ['', 'A', 'OOOO-1111', 'x'.repeat(40), "' OR 1", '////////'])
    await post('/deeplink/redeem', { email, code: typed });
  expect((await post('/deeplink/redeem', { email, code })).status).toBe(200);
});

test.each([
  ['AAAAAAAAAAAAAAAAAAAAAA', 404, 'deeplink_unknown'],
  ['', 404, 'deeplink_unknown'],
  ["' OR 1=1 --", 404, 'deeplink_unknown'],
  [undefined, 400, 'malformed_body'],
  [7, 400, 'malformed_body'],
  ['x'.repeat(101), 400, 'malformed_body'],
])('app link: %j is refused', async (code, status, refusal) => {
  expect(await statusAndCode(redeem(code))).toEqual([status, refusal]);
});

test('app link: requires a session', async () => {
  const response = await request('/api/v1/users/me/deeplink-qr-code');
  expect(await statusAndCode(response)).toEqual([401, 'unauthorized']);
});
