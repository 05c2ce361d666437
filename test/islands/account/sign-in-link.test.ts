import { beforeEach, expect, it, vi } from 'vitest';
import { rememberReturnPage, takeReturnPage } from '../../../islands/account/sign-in-link.ts';
import { fakeBrowser } from '../browser.ts';

const start = 1_700_000_000_000;

it('return page: is returned once, until the link expires', () => {
  vi.stubGlobal('location', { pathname: '/upsell_an_private' });
  expect(takeReturnPage(start)).toBeNull();
  rememberReturnPage(start);
  expect(takeReturnPage(start + 14 * 60_000)).toBe('/upsell_an_private');
  expect(takeReturnPage(start)).toBeNull();
  rememberReturnPage(start);
  expect(takeReturnPage(start + 15 * 60_000)).toBeNull();
});

const answer = {
  data: {
    access_token: 't1',
    deeplink_token: 'd1',
    entity: { external_user_id: 'u1', uuid: 'v1' },
    email: 'ada@example.com',
    paid: true,
  },
};

let requested: [path: string, body: unknown][] = [];

beforeEach(() => {
  vi.resetModules();
  requested = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    requested.push([path, body && JSON.parse(String(body))]);
    return path.endsWith('/sign-in-link/open')
      ? Response.json(answer)
      : Response.json({ data: {} });
  });
});

async function open(paid: boolean) {
  const session = new Map<string, string>();
  const local = new Map<string, string>();
  fakeBrowser({ session, local });
  answer.data.paid = paid;
  const { openSignInLink } = await import('../../../islands/account/sign-in-link.ts');
  const { $checkout } = await import('../../../islands/stores/checkout.ts');
  const { $signup } = await import('../../../islands/stores/signup.ts');
  return { was: await openSignInLink('c0de'), session, local, $checkout, $signup };
}

it('sign-in link: stores the account, its token in sessionStorage only', async () => {
  const { was, session, local, $checkout, $signup } = await open(true);
  expect(requested[0]).toEqual(['/api/v1/sign-in-link/open', { code: 'c0de' }]);
  expect([was, $checkout.get().isSuccess]).toEqual([true, true]);
  expect($signup.get()).toMatchObject({ token: 't1', userId: 'u1', uuid: 'v1', isSuccess: true });
  expect(session.get('access_token')).toBe('t1');
  expect([...local.values()].join()).not.toContain('t1');
});

it('sign-in link: clears the purchase of the previous account', async () => {
  const { was, $checkout } = await open(false);
  expect([was, $checkout.get().isSuccess]).toEqual([false, null]);
});

it('sign-in link: is requested by e-mail or by an older code', async () => {
  const requested: [path: string, body: unknown][] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    requested.push([path, JSON.parse(String(body))]);
    return Response.json({ data: {} }, { status: 202 });
  });
  const { requestSignInLink } = await import('../../../islands/account/sign-in-link.ts');
  await requestSignInLink({ email: 'ada@example.com' });
  await requestSignInLink({ code: 'c0de' });
  expect(requested).toEqual([
    ['/api/v1/sign-in-link', { email: 'ada@example.com' }],
    ['/api/v1/sign-in-link', { code: 'c0de' }],
  ]);
});
