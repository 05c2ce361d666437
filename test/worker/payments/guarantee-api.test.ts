import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import type { Invitation } from '../../../worker/invitations/rules/invitation.ts';
import type { LedgerRow } from '../../../worker/payments/purchase-projection.ts';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { OwnedSubscription } from '../../../worker/payments/subscription-changes.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { verify } from '../accounts/account-fixture.ts';
import { here } from '../invitations/invitation-fixture.ts';
import { captureLog, freshNumber } from '../invitations/sms/sms-fixture.ts';
import { post, refusalOf, ask as request } from '../request.ts';
import { account, card, polled, pollingId, stubOf } from './buying.ts';
import { openBank } from './payments-fixture.ts';

beforeEach(() => void captureLog());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Headers = Awaited<ReturnType<typeof account>>;

/** An account that bought a plan and an extra, where no law gives a right to withdraw. */
async function buyer(plan = 'monthly_usd') {
  let ahead = 0;
  const bank = openBank(undefined, undefined, { now: () => Date.now() + ahead });
  const email = `${crypto.randomUUID()}@example.com`;
  const headers = await account(email);
  await polled(await pollingId(plan, card(), headers));
  await polled(await pollingId('guide_1799_usd', card(), headers));
  const known = await env.DB.prepare('SELECT id FROM accounts WHERE email = ?').bind(email);
  await verify((await known.first<string>('id')) ?? '');
  const later = (days: number) => {
    ahead += days * 24 * 60 * 60_000;
    bank.passTime();
  };
  return { bank, headers, later };
}

/** A question by link; the code in it. */
async function invite(headers: Headers): Promise<string> {
  const body = { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'link' };
  const response = await post('/users/me/invitations', body, headers);
  return ((await response.json()) as { link: string }).link.split('#')[1] ?? '';
}

const week = 7 * 24 * 60 * 60_000;

/** Has every question and payment be a week older: then all ends without a yes are known. */
async function weekPasses(headers: Headers): Promise<void> {
  const { results } = await env.DB.prepare('SELECT invitee_key AS person FROM invitations').all<{
    person: string;
  }>();
  for (const { person } of results) {
    const stub = env.INVITATIONS.getByName(person);
    await runInDurableObject(stub, (_object: Invitee, { storage: { kv } }) => {
      for (const [key, one] of [...kv.list<Invitation>({ prefix: 'invitation:' })]) {
        kv.put(key, { ...one, askedAt: one.askedAt - week });
      }
    });
  }
  // The list is live: a row that is put while it is read would be seen again.
  await runInDurableObject(stubOf(headers), (_object: Purchases, { storage: { kv } }) => {
    for (const [key, row] of [...kv.list<LedgerRow>({ prefix: 'ledger:' })]) {
      kv.put(key, { ...row, at: row.at - week });
    }
  });
}

const say = (call: string, code: string, more: object = {}) =>
  post(`/invitations/${call}`, { code, ...more });
const guaranteeOf = async (headers: Headers) => {
  const response = await request('/api/v1/users/me/guarantee', { headers });
  return ((await response.json()) as { data: { open: boolean; agreed: boolean } }).data;
};
const isOpen = async (headers: Headers) => (await guaranteeOf(headers)).open;
const claim = (headers: Partial<Headers>) => post('/users/me/guarantee', {}, headers);

test('after a no everything that was paid comes back, in one go and once', async () => {
  const { bank, headers } = await buyer();
  expect(await isOpen(headers)).toBe(false);
  expect((await refusalOf(await claim(headers))).slice(0, 2)).toEqual([409, 'guarantee_over']);
  const code = await invite(headers);
  await say('open', code);
  expect(await isOpen(headers)).toBe(false);
  await say('decline', code);
  expect(await guaranteeOf(headers)).toMatchObject({ open: false, agreed: false });
  await weekPasses(headers);
  expect(await guaranteeOf(headers)).toMatchObject({ open: true, agreed: false });
  const other = await invite(headers);
  const answer = await claim(headers);
  expect(await answer.json()).toMatchObject({
    data: { subscriptions: [{ state: 'withdrawn' }, { state: 'withdrawn' }] },
  });
  expect((await claim(headers)).status).toBe(409);
  const late = await say('accept', other, { position: here });
  expect((await refusalOf(late)).slice(0, 2)).toEqual([410, 'invitation_over']);
  await vi.waitFor(() => {
    const back = Object.values(bank.state.refunds).map(({ amount }) => amount);
    expect(back.sort()).toEqual([1799, 3999]);
  }, pollTimeout);
});

test('a plan that was cancelled, and ended before anybody answered, is given back', async () => {
  const { bank, headers, later } = await buyer('monthly_3d_usd');
  const code = await invite(headers);
  await say('open', code);
  const stub = stubOf(headers);
  const plan = async () => {
    const held: OwnedSubscription[] = await stub.ownedSubscriptions();
    return held.find(({ subscription }) => subscription.slot === 'main')?.subscription;
  };
  await stub.cancelSubscription((await plan())?.attempt ?? '');
  await vi.waitFor(async () => expect((await plan())?.ends).toBe(true), pollTimeout);
  later(4);
  await stub.sync();
  expect((await plan())?.status).toBe('ended');
  await say('decline', code);
  await weekPasses(headers);
  expect(await isOpen(headers)).toBe(true);
  expect((await claim(headers)).status).toBe(200);
  expect(await isOpen(headers)).toBe(false);
  await vi.waitFor(() => {
    const back = Object.values(bank.state.refunds).map(({ amount }) => amount);
    expect(back.sort()).toEqual([1799, 299]);
  }, pollTimeout);
});

test('a refusal from the time of an earlier plan does not open the guarantee of a later one', async () => {
  const { bank, headers } = await buyer();
  const code = await invite(headers);
  await say('open', code);
  await say('decline', code);
  const held: OwnedSubscription[] = await stubOf(headers).ownedSubscriptions();
  const plan = held.find(({ subscription }) => subscription.slot === 'main');
  const payment = plan?.rows[0]?.paymentId ?? '';
  await stubOf(headers).refund(payment, null, 'whole');
  await polled(await pollingId('quarterly_usd', card(), headers));
  await weekPasses(headers);
  expect(await guaranteeOf(headers)).toEqual({ open: false, agreed: false, attempts: [] });
  expect((await claim(headers)).status).toBe(409);
  expect(bank.captures().map(({ refunded }) => refunded)).toEqual([3999, 0, 0]);
});

test('a claim that fails half-way changes nothing, and can be repeated', async () => {
  const { bank, headers } = await buyer();
  const code = await invite(headers);
  await say('open', code);
  await say('decline', code);
  await weekPasses(headers);
  const { saveSubscription: hold } = PurchaseStorage.prototype;
  const broken = vi
    .spyOn(PurchaseStorage.prototype, 'saveSubscription')
    .mockImplementation(function (this: PurchaseStorage, ...change) {
      if (broken.mock.calls.length > 1) throw new Error('storage failed');
      hold.apply(this, change);
    });
  expect((await claim(headers)).status).toBe(500);
  broken.mockRestore();
  const held: OwnedSubscription[] = await stubOf(headers).ownedSubscriptions();
  expect(held.map(({ subscription }) => subscription.withdrawnAt)).toEqual([null, null]);
  expect((await claim(headers)).status).toBe(200);
  await vi.waitFor(() => {
    const back = Object.values(bank.state.refunds).map(({ amount }) => amount);
    expect(back.sort()).toEqual([1799, 3999]);
  }, pollTimeout);
});

test('who was shown a yes has had what they paid for, also after it was stopped', async () => {
  const { headers } = await buyer();
  const code = await invite(headers);
  await say('open', code);
  await say('accept', code, { position: here });
  await request('/api/v1/users/me/invitations', { headers });
  await say('stop', code);
  expect(await guaranteeOf(headers)).toMatchObject({ open: false, agreed: true });
});

test('it needs the account’s token', async () => {
  expect((await refusalOf(await claim({}))).slice(0, 2)).toEqual([401, 'unauthorized']);
});
