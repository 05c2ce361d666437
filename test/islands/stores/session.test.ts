import { map } from 'nanostores';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { call } from '../../../islands/runtime/api.ts';
import { saveSession } from '../../../islands/stores/session.ts';
import { fakeBrowser } from '../browser.ts';

const minute = 60_000;
/** A token as the server signs it, that ends in so many minutes. */
const tokenFor = (minutes: number) => {
  const claims = { sub: 'account', exp: Math.floor(Date.now() / 1000) + minutes * 60 };
  return `head.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.signature`;
};

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A kept session, and a server that renews a token in its last 15 minutes. */
function open(token: string, visibilityState = 'visible', needed = false) {
  const { document } = fakeBrowser();
  vi.stubGlobal('document', { ...document, visibilityState });
  const fetch = vi.fn(async (_path: string, { headers }: RequestInit) => {
    const [, claims = ''] = (new Headers(headers).get('authorization') ?? '').split('.');
    const left = JSON.parse(atob(claims)).exp * 1000 - Date.now();
    const next: HeadersInit = left < 15 * minute ? { 'x-access-token': tokenFor(60) } : {};
    return Response.json({}, { headers: next });
  });
  vi.stubGlobal('fetch', fetch);
  const $signup = map({ token, email: 'ann@example.com' });
  const end = () => $signup.setKey('token', '');
  saveSession($signup, end, () => needed);
  return { $signup, fetch };
}

it('session renewal: stores and uses the new token', async () => {
  const { $signup, fetch } = open(tokenFor(12));
  await call('/users/me/purchases', { bearer: $signup.get().token });
  const renewed = $signup.get();
  expect(renewed).toEqual({ token: tokenFor(60), email: 'ann@example.com' });
  await vi.advanceTimersByTimeAsync(49 * minute);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('session renewal: ignores the renewal of a replaced token', async () => {
  const { $signup } = open(tokenFor(12));
  const before = $signup.get().token;
  const asked = call('/users/me/purchases', { bearer: before });
  $signup.setKey('token', '');
  await asked;
  expect($signup.get().token).toBe('');
});

it('session renewal: renews while the page is visible', async () => {
  const { $signup, fetch } = open(tokenFor(60));
  await vi.advanceTimersByTimeAsync(3 * 60 * minute);
  expect(fetch).toHaveBeenCalledTimes(3);
  const [, claims = ''] = $signup.get().token.split('.');
  expect(JSON.parse(atob(claims)).exp * 1000).toBeGreaterThan(Date.now());
});

it.each([
  ['a page that nobody looks at', () => tokenFor(60), 'hidden'],
  ['a token that is over', () => tokenFor(-1), 'visible'],
  ['no token', () => '', 'visible'],
  ['what is no token', () => 'head.%%.tail', 'visible'],
])('session renewal: sends no request for %s', async (_, token, visibility) => {
  const { fetch } = open(token(), visibility);
  await vi.advanceTimersByTimeAsync(3 * 60 * minute);
  expect(fetch).not.toHaveBeenCalled();
});

it('session renewal: tries an expired token where the page needs an account', async () => {
  const { fetch } = open(tokenFor(-1), 'visible', true);
  await vi.advanceTimersByTimeAsync(0);
  expect(fetch).toHaveBeenCalledTimes(1);
});

/** Asks with a token of a server that takes none. */
async function refused($signup: ReturnType<typeof open>['$signup'], bearer: string | undefined) {
  const body = { errors: { code: 'unauthorized', messages: ['no'] } };
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 401 }));
  await expect(call('/users/me/purchases', { bearer })).rejects.toEqual(body);
  return $signup.get().token;
}

it('session renewal: forgets the rejected token only', async () => {
  const { $signup } = open(tokenFor(30));
  expect(await refused($signup, undefined)).toBe(tokenFor(30));
  expect(await refused($signup, tokenFor(20))).toBe(tokenFor(30));
  expect(await refused($signup, tokenFor(30))).toBe('');
});
