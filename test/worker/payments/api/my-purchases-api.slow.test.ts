import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { LedgerRow } from '../../../../worker/payments/ledger/ledger-table.ts';
import type { ReceiptView } from '../../../../worker/payments/notices/receipt.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { SubscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { withUnsold } from '../../kv-of.ts';
import { post, request, statusAndCode } from '../../request.ts';
import { attemptId } from '../attempts/attempt-fixture.ts';
import { dayMs, excludeFromAudit, stubStripe } from '../payments-fixture.ts';
import { card, pollingId, pollUntilDone, signedInHeaders, stubOf } from '../purchase-helpers.ts';

type Headers = Record<string, string>;
type Answer = {
  data: {
    subscriptions: SubscriptionView[];
    receipts: ReceiptView[];
    main: string | null;
    upsell: string | null;
    email: string;
  };
};

const read = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as Answer).data;

const purchases = (headers: Headers) => request('/api/v1/users/me/purchases', { headers });

const cancel = (attempt: string, headers: Headers) =>
  post(`/users/me/subscriptions/${attempt}/cancel`, {}, headers);

const resume = (attempt: string, headers: Headers) =>
  post(`/users/me/subscriptions/${attempt}/resume`, {}, headers);

const withdrawal = (attempt: string, headers: Headers) =>
  post('/users/me/withdrawal', { attempt }, headers);

/** A buyer of plans in a country, and their subscriptions. */
async function owner(plans: string[], country = 'US') {
  const fake = stubStripe();
  const headers = { ...(await signedInHeaders()), 'cf-ipcountry': country };
  for (const plan of plans) await pollUntilDone(await pollingId(plan, card(), headers));
  const { subscriptions } = await read(purchases(headers));
  return {
    fake,
    headers,
    subscriptions,
    main: subscriptions.find(({ slot }) => slot === 'main')?.attempt ?? attemptId(''),
  };
}

const states = (subscriptions: SubscriptionView[]) =>
  subscriptions.map(({ slot, state }) => [slot, state]).sort();

test('my purchases: listed by slot, each with its payments and next charge', async () => {
  const data = await read(purchases((await owner(['monthly_7d_usd'])).headers));
  expect(data).toMatchObject({ main: 'monthly_7d_usd', upsell: null });
  const [{ paidUntil = null } = {}] = data.subscriptions;
  expect(data.receipts).toEqual([
    expect.objectContaining({
      ...{ attempt: data.subscriptions[0]?.attempt, amount: 699, currency: 'USD', introDays: 7 },
      covers: { from: expect.any(Number), to: paidUntil },
      ...{ refunds: [], taxIncluded: false, savedMethodAt: 'stripe' },
    }),
  ]);
  expect(data.subscriptions).toMatchObject([
    {
      state: 'active',
      name: 'Monthly plan, 7-day intro',
      next: { amount: 3999 },
      boughtAt: expect.any(Number),
      withdraw: null,
    },
  ]);
});

test('my purchases: an account without a purchase has none, and its own e-mail', async () => {
  const empty = { main: null, upsell: null, guide: null, subscriptions: [], receipts: [] };
  const offers = {
    ...{ too_expensive: 'plan', not_needed: 'pause', not_working: 'help', another: 'none' },
  };
  const email = 'Nobody@example.com';
  expect(await read(purchases(await signedInHeaders(email)))).toEqual({ ...empty, offers, email });
});

test('receipt page: names the seller, contains no payment, and is neither stored nor indexed', async () => {
  const response = await request('/manage/receipt', { headers: { 'accept-language': 'en' } });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const page = await response.text();
  expect(page).toMatch(/<meta name="robots" content="noindex"/);
  expect(page).toContain('‹COMPANY_ADDRESS›');
  expect(page).not.toMatch(/\bpi_/);
});

test('early end: offered and made only where the law of the owner’s country allows it, and once', async () => {
  const { headers, main, fake } = await owner(['quarterly_usd']);
  const stub = stubOf(headers);
  excludeFromAudit(stub);
  // As if it had been renewed now.
  await runInDurableObject(stub, (_object: Purchases, { storage: { kv } }) => {
    for (const [, row] of [...kv.list<LedgerRow>({ prefix: 'ledger:' })]) {
      const earlier = { id: 'capture:pi_0', paymentId: 'pi_0', at: row.at - 91 * dayMs };
      kv.put('ledger:capture:pi_0', { ...row, ...earlier });
    }
  });
  const shown = async (country: string) => {
    const change = 'UPDATE accounts SET country = ? WHERE id = ?';
    await env.DB.prepare(change).bind(country, stub.name).run();
    return (await read(purchases(headers))).subscriptions[0]?.earlyEnd ?? null;
  };
  const end = (body: object) => post(`/users/me/subscriptions/${main}/early-end`, body, headers);
  const earlyEnd = await shown('DE');
  if (!earlyEnd) throw new Error('none in Germany');
  expect(await shown('US')).toBeNull();
  expect(await statusAndCode(end(earlyEnd))).toEqual([409, 'quote_expired']);
  await shown('DE');
  expect(await statusAndCode(end({ ...earlyEnd, back: 1 }))).toEqual([409, 'quote_expired']);
  for (let again = 0; again < 2; again += 1) {
    const { subscriptions } = await read(end(earlyEnd));
    const ending = { state: 'ending', paidUntil: earlyEnd.at, resumes: false, next: null };
    expect(subscriptions).toMatchObject([ending]);
  }
  await vi.waitFor(
    () => expect(fake.captures().map(({ refunded }) => refunded)).toEqual([earlyEnd.back]),
    pollTimeout,
  );
});

test('cancellation: a plan is cancelled with its extras, and a repeated cancellation changes nothing', async () => {
  const { headers, main } = await owner([
    'monthly_usd',
    'upsell_monthly_799_usd',
    'guide_1799_usd',
  ]);
  const first = await read(cancel(main, headers));
  expect(states(first.subscriptions)).toEqual([
    ['guide', 'active'],
    ['main', 'ending'],
    ['upsell', 'ending'],
  ]);
  expect(states((await read(cancel(main, headers))).subscriptions)).toEqual(
    states(first.subscriptions),
  );
});

test('cancellation: can be undone, the plan before its extras', async () => {
  const { headers, main, subscriptions } = await owner(['monthly_usd', 'upsell_monthly_799_usd']);
  const extra = subscriptions.find(({ slot }) => slot === 'upsell')?.attempt ?? attemptId('');
  await cancel(main, headers);
  expect(await statusAndCode(resume(extra, headers))).toEqual([409, 'main_plan_required']);
  for (const _again of [1, 2]) {
    expect(states((await read(resume(main, headers))).subscriptions)).toEqual([
      ['main', 'active'],
      ['upsell', 'ending'],
    ]);
  }
  expect(states((await read(resume(extra, headers))).subscriptions)).toContainEqual([
    'upsell',
    'active',
  ]);
});

test('cancellation: an account can neither cancel nor resume another account’s subscription, or an unknown one', async () => {
  const { main } = await owner(['monthly_eur'], 'DE');
  const stranger = { ...(await signedInHeaders()), 'cf-ipcountry': 'DE' };
  for (const attempt of [main, crypto.randomUUID()]) {
    const refused = await Promise.all(
      [cancel, resume, withdrawal].map((action) => action(attempt, stranger)),
    );
    for (const response of refused)
      expect(await statusAndCode(response)).toEqual([404, 'purchase_unknown']);
  }
});

test('cancellation: a one-time purchase cannot be cancelled', async () => {
  const { headers, subscriptions } = await owner(['monthly_usd', 'guide_1799_usd']);
  const guide = subscriptions.find(({ slot }) => slot === 'guide')?.attempt ?? attemptId('');
  expect(await statusAndCode(cancel(guide, headers))).toEqual([409, 'not_renewing']);
});

test('withdrawal: where the law grants it, a purchase is refunded in full, with its extras', async () => {
  const plans = ['monthly_7d_eur', 'upsell_monthly_799_eur', 'guide_1799_eur'];
  const { fake, headers, main } = await owner(plans, 'DE');
  expect(states((await read(withdrawal(main, headers))).subscriptions)).toEqual([
    ['guide', 'withdrawn'],
    ['main', 'withdrawn'],
    ['upsell', 'withdrawn'],
  ]);
  await vi.waitFor(() => {
    expect(fake.captures().map(({ amount, refunded }) => amount - refunded)).toEqual([0, 0, 0]);
  }, pollTimeout);
  expect(await read(purchases(headers))).toMatchObject({ main: null, upsell: null });
});

test('withdrawal: withdrawing from the plan ends all invitations, and withdrawing from an extra does not', async () => {
  const { headers, main, subscriptions } = await owner(['monthly_eur', 'guide_1799_eur'], 'DE');
  const [, claims = ''] = headers.authorization.split('.');
  const { sub } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')));
  const { stub, request } = await newInvitee({ account: sub, via: 'link' });
  const invited = await stub.invite(request);
  const state = async () =>
    invited.kind === 'invited' && (await stub.viewForRequester(invited.view.id, sub))?.state;
  await withdrawal(
    subscriptions.find(({ slot }) => slot === 'guide')?.attempt ?? attemptId(''),
    headers,
  );
  expect(await state()).toBe('sent');
  await withdrawal(main, headers);
  expect(await state()).toBe('not_shared');
});

test('withdrawal: where the law does not grant it, it is refused', async () => {
  const { fake, headers, main } = await owner(['monthly_usd']);
  expect(await statusAndCode(withdrawal(main, headers))).toEqual([409, 'withdrawal_expired']);
  expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
});

// Last, because the isolate keeps the configuration.
test('my purchases: a plan that the gateway does not sell is neither shown nor quoted', async () => {
  const { headers, main, subscriptions } = await owner(['monthly_usd']);
  const quote = (more: object) =>
    post(
      `/users/me/subscriptions/${main}/changes`,
      { kind: 'upgrade', plan: 'quarterly_usd' },
      headers,
      more,
    ).then(statusAndCode);
  expect(subscriptions[0]?.changes.upgrade).toMatchObject([{ id: 'quarterly_usd' }]);
  const more = withUnsold({ stripe: ['quarterly_usd'] });
  await request('/', {}, more);
  await vi.waitFor(async () => {
    const now = await read(request('/api/v1/users/me/purchases', { headers }, more));
    expect(now.subscriptions[0]?.changes).toMatchObject({ upgrade: [], switch: [] });
  }, pollTimeout);
  expect(await quote(more)).toEqual([409, 'change_not_possible']);
});
