import { afterEach, expect, test, vi } from 'vitest';
import type { SubscriptionView } from '../../../worker/payments/rules/purchase-view.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { newInvitee } from '../invitations/sms/sms-fixture.ts';
import { ask, post, refusalOf } from '../request.ts';
import { account, card, polled, pollingId } from './buying.ts';
import { openBank } from './payments-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Headers = Record<string, string>;
type Answer = {
  data: { subscriptions: SubscriptionView[]; main: string | null; upsell: string | null };
};

const read = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as Answer).data;
const purchases = (headers: Headers) => ask('/api/v1/users/me/purchases', { headers });
const cancel = (attempt: string, headers: Headers) =>
  post(`/users/me/subscriptions/${attempt}/cancel`, {}, headers);
const resume = (attempt: string, headers: Headers) =>
  post(`/users/me/subscriptions/${attempt}/resume`, {}, headers);
const withdrawal = (attempt: string, headers: Headers) =>
  post('/users/me/withdrawal', { attempt }, headers);

/** Who bought plans in a country, and what they hold. */
async function owner(plans: string[], country = 'US') {
  const bank = openBank();
  const headers = { ...(await account()), 'cf-ipcountry': country };
  for (const plan of plans) await polled(await pollingId(plan, card(), headers));
  const { subscriptions: held } = await read(purchases(headers));
  return { bank, headers, held, main: held.find(({ slot }) => slot === 'main')?.attempt ?? '' };
}

const states = (held: SubscriptionView[]) => held.map(({ slot, state }) => [slot, state]).sort();

test('my purchases: by slot, and each with its payments and next charge', async () => {
  const { headers } = await owner(['monthly_7d_usd']);
  const data = await read(purchases(headers));
  expect(data).toMatchObject({ main: 'monthly_7d_usd', upsell: null });
  expect(data.subscriptions).toMatchObject([
    {
      state: 'active',
      next: { amount: 3999 },
      payments: [{ kind: 'capture', amount: 699 }],
      withdraw: null,
    },
  ]);
});

test('my purchases: an account without a purchase has none', async () => {
  const empty = { main: null, upsell: null, guide: null, subscriptions: [] };
  expect(await read(purchases(await account()))).toEqual(empty);
});

test('a plan is cancelled with its extras, and cancelling again changes nothing', async () => {
  const { headers, main } = await owner([
    'monthly_usd',
    'upsell_monthly_799_usd',
    'guide_1799_usd',
  ]);
  const first = await read(cancel(main, headers));
  expect(states(first.subscriptions)).toEqual([
    ['guide', 'active'],
    ['main', 'ends'],
    ['upsell', 'ends'],
  ]);
  expect(states((await read(cancel(main, headers))).subscriptions)).toEqual(
    states(first.subscriptions),
  );
});

test('a cancellation is taken back, the plan before what was added to it', async () => {
  const { headers, main, held } = await owner(['monthly_usd', 'upsell_monthly_799_usd']);
  const extra = held.find(({ slot }) => slot === 'upsell')?.attempt ?? '';
  await cancel(main, headers);
  const early = await refusalOf(await resume(extra, headers));
  expect(early.slice(0, 2)).toEqual([409, 'main_purchase_missing']);
  for (const _again of [1, 2]) {
    const after = (await read(resume(main, headers))).subscriptions;
    expect(states(after)).toEqual([
      ['main', 'active'],
      ['upsell', 'ends'],
    ]);
  }
  expect(states((await read(resume(extra, headers))).subscriptions)).toContainEqual([
    'upsell',
    'active',
  ]);
});

test('it is noted while the gateway is down', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { headers, main } = await owner(['monthly_usd']);
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  const { subscriptions: held } = await read(cancel(main, headers));
  expect(held).toMatchObject([{ state: 'ends', next: null }]);
});

test('nobody cancels or takes back what another bought, or what was never bought', async () => {
  const { main } = await owner(['monthly_eur'], 'DE');
  const stranger = { ...(await account()), 'cf-ipcountry': 'DE' };
  for (const attempt of [main, crypto.randomUUID()]) {
    const refused = await Promise.all(
      [cancel, resume, withdrawal].map((wish) => wish(attempt, stranger)),
    );
    for (const response of refused) {
      expect((await refusalOf(response)).slice(0, 2)).toEqual([404, 'purchase_unknown']);
    }
  }
  for (const wish of [cancel, resume, withdrawal]) {
    expect((await refusalOf(await wish(main, {}))).slice(0, 2)).toEqual([401, 'unauthorized']);
  }
});

test('what was paid once has nothing to cancel', async () => {
  const { headers, held } = await owner(['monthly_usd', 'guide_1799_usd']);
  const guide = held.find(({ slot }) => slot === 'guide')?.attempt ?? '';
  const refused = await refusalOf(await cancel(guide, headers));
  expect(refused.slice(0, 2)).toEqual([409, 'not_renewing']);
});

test('what was withdrawn from does not go on', async () => {
  const { headers, main } = await owner(['monthly_eur'], 'DE');
  await withdrawal(main, headers);
  const refused = await refusalOf(await resume(main, headers));
  expect(refused.slice(0, 2)).toEqual([409, 'resume_over']);
});

test('where the law says so a purchase is taken back whole, with its extras', async () => {
  const plans = ['monthly_7d_eur', 'upsell_monthly_799_eur', 'guide_1799_eur'];
  const { bank, headers, main } = await owner(plans, 'DE');
  const { subscriptions: held } = await read(withdrawal(main, headers));
  expect(states(held)).toEqual([
    ['guide', 'withdrawn'],
    ['main', 'withdrawn'],
    ['upsell', 'withdrawn'],
  ]);
  await vi.waitFor(() => {
    const left = bank.captures().map(({ amount, refunded }) => amount - refunded);
    expect(left).toEqual([0, 0, 0]);
  }, pollTimeout);
  expect(await read(purchases(headers))).toMatchObject({ main: null, upsell: null });
});

test('who withdraws from the plan asks nobody any more; from an extra, goes on', async () => {
  const { headers, main, held } = await owner(['monthly_eur', 'guide_1799_eur'], 'DE');
  const [, claims = ''] = headers.authorization.split('.');
  const { sub } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')));
  const { stub, request } = newInvitee({ account: sub, via: 'link' });
  const asked = await stub.invite(request);
  const state = async () =>
    asked.kind === 'invited' && (await stub.viewForRequester(asked.view.id, sub))?.state;
  await withdrawal(held.find(({ slot }) => slot === 'guide')?.attempt ?? '', headers);
  expect(await state()).toBe('sent');
  await withdrawal(main, headers);
  expect(await state()).toBe('not_shared');
});

test('where it does not, it is refused', async () => {
  const { bank, headers, main } = await owner(['monthly_usd']);
  const refused = await refusalOf(await withdrawal(main, headers));
  expect(refused.slice(0, 2)).toEqual([409, 'withdrawal_over']);
  expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
});
