import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

const navigate = vi.fn();
vi.mock('../../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));

const minute = 60_000;
/** A token as signed by the server, which expires in this many minutes. */
const tokenFor = (minutes: number) => {
  const claims = { sub: 'account', exp: Math.floor(Date.now() / 1000) + minutes * 60 };
  return `head.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.signature`;
};

beforeEach(() => {
  vi.resetModules();
  navigate.mockReset();
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
/** A stored session, and a server that renews a token in its last 15 minutes. */
async function open(token: string, visibilityState = 'visible', needed = false) {
  const { document } = fakeBrowser();
  const querySelector = (wanted: string) =>
    wanted === '[data-need="signup.token"]' && needed ? {} : document.querySelector(wanted);
  vi.stubGlobal('document', { ...document, visibilityState, querySelector });
  vi.stubGlobal('location', { pathname: '/manage', search: '' });
  const fetch = vi.fn(async (_path: string, { headers }: RequestInit) => {
    const [, claims = ''] = (new Headers(headers).get('authorization') ?? '').split('.');
    const left = JSON.parse(atob(claims)).exp * 1000 - Date.now();
    const next: HeadersInit = left < 15 * minute ? { 'x-access-token': tokenFor(60) } : {};
    return Response.json({}, { headers: next });
  });
  vi.stubGlobal('fetch', fetch);
  const { $signup } = await import('../../../islands/stores/signup.ts');
  const { saveSession } = await import('../../../islands/stores/session.ts');
  const { call } = await import('../../../islands/runtime/api.ts');
  $signup.set({ ...$signup.get(), token, email: 'ann@example.com' });
  saveSession();
  return { $signup, fetch, call };
}

it('session renewal: stores and uses the new token', async () => {
  const { $signup, fetch, call } = await open(tokenFor(12));
  await call('/users/me/purchases', { bearer: $signup.get().token });
  const renewed = $signup.get();
  expect(renewed).toMatchObject({ token: tokenFor(60), email: 'ann@example.com' });
  await vi.advanceTimersByTimeAsync(49 * minute);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('session renewal: ignores the renewal of a replaced token', async () => {
  const { $signup, call } = await open(tokenFor(12));
  const before = $signup.get().token;
  const response = call('/users/me/purchases', { bearer: before });
  $signup.setKey('token', '');
  await response;
  expect($signup.get().token).toBe('');
});

it('session renewal: renews ten minutes before the token expires', async () => {
  const { fetch } = await open(tokenFor(60));
  await vi.advanceTimersByTimeAsync(50 * minute - 1);
  expect(fetch).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('session renewal: is requested once for a token, whatever else changes', async () => {
  const { $signup } = await open(tokenFor(5));
  const fetch = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', fetch);
  await vi.advanceTimersByTimeAsync(1);
  $signup.setKey('email', 'bob@example.com');
  await vi.advanceTimersByTimeAsync(1);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('session renewal: renews while the page is visible', async () => {
  const { $signup, fetch } = await open(tokenFor(60));
  await vi.advanceTimersByTimeAsync(3 * 60 * minute);
  expect(fetch).toHaveBeenCalledTimes(3);
  const [, claims = ''] = $signup.get().token.split('.');
  expect(JSON.parse(atob(claims)).exp * 1000).toBeGreaterThan(Date.now());
});

it.each([
  ['a page that nobody looks at', () => tokenFor(60), 'hidden'],
  ['a token that is over', () => tokenFor(-1), 'visible'],
  ['a token that expires at this moment', () => tokenFor(0), 'visible'],
  ['no token', () => '', 'visible'],
  ['what is no token', () => 'head.%%.tail', 'visible'],
])('session renewal: sends no request for %s', async (_, token, visibility) => {
  const { fetch } = await open(token(), visibility);
  await vi.advanceTimersByTimeAsync(3 * 60 * minute);
  expect(fetch).not.toHaveBeenCalled();
});

it('session renewal: tries an expired token where the page needs an account', async () => {
  const { fetch } = await open(tokenFor(-1), 'visible', true);
  await vi.advanceTimersByTimeAsync(0);
  expect(fetch).toHaveBeenCalledTimes(1);
});

/** Sends a token to a server that refuses every token. */
async function refused(
  { $signup, call }: Awaited<ReturnType<typeof open>>,
  bearer: string | undefined,
) {
  const body = { errors: { code: 'unauthorized', messages: ['no'] } };
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 401 }));
  await expect(call('/users/me/purchases', { bearer })).rejects.toEqual(body);
  return $signup.get().token;
}

it('session renewal: forgets the rejected token only', async () => {
  const opened = await open(tokenFor(30));
  expect(await refused(opened, undefined)).toBe(tokenFor(30));
  expect(await refused(opened, tokenFor(20))).toBe(tokenFor(30));
  expect(await refused(opened, tokenFor(30))).toBe('');
});

it.each([
  ['a page that needs the account is loaded again', true, [['/manage']]],
  ['another page stays', false, []],
])('session: after a rejected token %s', async (_, needed, moves) => {
  const opened = await open(tokenFor(30), 'visible', needed);
  opened.$signup.setKey('paymentSettingsStatus', 'success');
  await refused(opened, tokenFor(30));
  expect(opened.$signup.get()).toMatchObject({ token: '', paymentSettingsStatus: '' });
  expect(navigate.mock.calls).toEqual(moves);
});

/** Delivers messages to the other open channels at once. */
class Channel {
  static readonly open = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | undefined;
  constructor() {
    Channel.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.open) if (other !== this) other.onmessage?.({ data });
  }
  close(): void {
    Channel.open.delete(this);
  }
}

it('session: a browser without channels between tabs stays signed in', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const { $signup } = await open(tokenFor(30));
  const { shareSession } = await import('../../../islands/stores/session.ts');
  shareSession({ userId: 'u', token: 'other' });
  expect($signup.get().token).toBe(tokenFor(30));
});

it('session: a new session reaches the other tabs of the same account that are signed in', async () => {
  vi.stubGlobal('BroadcastChannel', Channel);
  const { $signup } = await open(tokenFor(30));
  const { shareSession } = await import('../../../islands/stores/session.ts');
  $signup.setKey('userId', 'ann');
  shareSession({ userId: 'bob', token: 'of bob' });
  expect($signup.get().token).toBe(tokenFor(30));
  shareSession({ userId: 'ann', token: 'new' });
  expect($signup.get().token).toBe('new');
  $signup.setKey('token', '');
  shareSession({ userId: 'ann', token: 'newer' });
  expect($signup.get().token).toBe('');
  // Only the tab's own channel stays open.
  expect(Channel.open.size).toBe(1);
});

/** Beside an outside product's token, a session of ours. */
async function openWithProduct(own: string) {
  const opened = await open('the product’s');
  opened.$signup.setKey('own', own);
  return opened;
}

it('session: a rejected token of ours leaves the outside product’s session', async () => {
  const opened = await openWithProduct(tokenFor(30));
  await refused(opened, tokenFor(30));
  expect(opened.$signup.get()).toMatchObject({ token: 'the product’s', own: '-' });
  const { sessionToken } = await import('../../../islands/stores/signup.ts');
  expect(sessionToken()).toBe('');
});

it('session: a rejected token of an outside product leaves our session', async () => {
  const opened = await openWithProduct(tokenFor(30));
  await refused(opened, 'the product’s');
  expect(opened.$signup.get()).toMatchObject({ token: '', own: tokenFor(30) });
  const { sessionToken } = await import('../../../islands/stores/signup.ts');
  expect(sessionToken()).toBe(tokenFor(30));
});

it('session renewal: beside an outside product, ours is renewed by a call that we answer', async () => {
  const { $signup, fetch } = await openWithProduct(tokenFor(12));
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/v1/users/me/purchases']);
  expect($signup.get()).toMatchObject({ token: 'the product’s', own: tokenFor(60) });
});

it('session: beside an outside product, a new session of the same account reaches other tabs', async () => {
  vi.stubGlobal('BroadcastChannel', Channel);
  const { $signup } = await openWithProduct(tokenFor(30));
  const { shareSession } = await import('../../../islands/stores/session.ts');
  shareSession({ userId: 'another account', token: 'other' });
  expect($signup.get().own).toBe(tokenFor(30));
  shareSession({ userId: 'account', token: 'new' });
  expect($signup.get()).toMatchObject({ token: 'the product’s', own: 'new' });
});
