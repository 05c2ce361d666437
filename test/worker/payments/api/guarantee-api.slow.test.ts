import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Invitee } from '../../../../worker/invitations/invitee-object.ts';
import type { Invitation } from '../../../../worker/invitations/rules/invitation.ts';
import type { LedgerRow } from '../../../../worker/payments/ledger/ledger-table.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { verify } from '../../accounts/account-fixture.ts';
import { here } from '../../invitations/invitation-fixture.ts';
import { captureLog, freshNumber } from '../../invitations/sms/sms-fixture.ts';
import { post, request, statusAndCode } from '../../request.ts';
import { attemptId } from '../attempts/attempt-fixture.ts';
import { stubStripe } from '../payments-fixture.ts';
import { card, pollingId, pollUntilDone, signedInHeaders, stubOf } from '../purchase-helpers.ts';

beforeEach(() => void captureLog());

type Headers = Awaited<ReturnType<typeof signedInHeaders>>;

/** An account that bought a plan and an extra, where no law grants a right to withdraw. */
async function buyer(plan = 'monthly_usd') {
  let ahead = 0;
  const fake = stubStripe({ now: () => Date.now() + ahead });
  const email = `${crypto.randomUUID()}@example.com`;
  const headers = await signedInHeaders(email);
  await pollUntilDone(await pollingId(plan, card(), headers));
  await pollUntilDone(await pollingId('guide_1799_usd', card(), headers));
  const known = await env.DB.prepare('SELECT id FROM accounts WHERE email = ?').bind(email);
  await verify((await known.first<string>('id')) ?? '');
  const later = (days: number) => {
    ahead += days * 24 * 60 * 60_000;
    fake.passTime();
  };
  return { fake, headers, later };
}

/** Invites by link. @returns the link's code */
async function invite(headers: Headers): Promise<string> {
  const body = { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'link' };
  const response = await post('/users/me/invitations', body, headers);
  return ((await response.json()) as { link: string }).link.split('#')[1] ?? '';
}

const week = 7 * 24 * 60 * 60_000;

/** Makes every invitation and payment a week older, so that refusals are no longer hidden. */
async function backdateInvitations(headers: Headers): Promise<void> {
  const { results } = await env.DB.prepare('SELECT invitee_key AS person FROM invitations').all<{
    person: string;
  }>();
  for (const { person } of results) {
    const stub = env.INVITATIONS.getByName(person);
    await runInDurableObject(stub, (_object: Invitee, { storage: { kv } }) => {
      for (const [key, one] of [...kv.list<Invitation>({ prefix: 'invitation:' })])
        kv.put(key, { ...one, requestedAt: one.requestedAt - week });
    });
  }
  // The list is live: a row written while it is read would be seen again.
  await runInDurableObject(stubOf(headers), (_object: Purchases, { storage: { kv } }) => {
    for (const [key, row] of [...kv.list<LedgerRow>({ prefix: 'ledger:' })])
      kv.put(key, { ...row, at: row.at - week });
  });
}

const postAsInvitee = (call: string, code: string, more: object = {}) =>
  post(`/invitations/${call}`, { code, ...more });

/** An invitation that is refused. */
async function inviteAndDecline(headers: Headers) {
  const code = await invite(headers);
  await postAsInvitee('open', code);
  await postAsInvitee('decline', code);
}

const expectRefunds = (fake: ReturnType<typeof stubStripe>, amounts: number[]) =>
  vi.waitFor(() => {
    const back = Object.values(fake.state.refunds).map(({ amount }) => amount);
    expect(back.sort()).toEqual(amounts);
  }, pollTimeout);

const guaranteeOf = async (headers: Headers) => {
  const response = await request('/api/v1/users/me/guarantee', { headers });
  return ((await response.json()) as { data: { open: boolean; until: number } }).data;
};

const isOpen = async (headers: Headers) => (await guaranteeOf(headers)).open;

const claim = (headers: Partial<Headers>) => post('/users/me/guarantee', {}, headers);

test('guarantee: after a refusal all payments are refunded together and once', async () => {
  const { fake, headers } = await buyer();
  expect(await isOpen(headers)).toBe(false);
  expect(await statusAndCode(claim(headers))).toEqual([409, 'guarantee_expired']);
  const code = await invite(headers);
  await postAsInvitee('open', code);
  expect(await isOpen(headers)).toBe(false);
  await postAsInvitee('decline', code);
  expect(await guaranteeOf(headers)).toMatchObject({ open: false, until: 0, agreed: false });
  await backdateInvitations(headers);
  expect(await guaranteeOf(headers)).toMatchObject({ open: true, agreed: false });
  expect((await guaranteeOf(headers)).until).toBeGreaterThan(Date.now());
  const other = await invite(headers);
  const response = await claim(headers);
  expect(await response.json()).toMatchObject({
    data: { subscriptions: [{ state: 'withdrawn' }, { state: 'withdrawn' }] },
  });
  expect((await claim(headers)).status).toBe(409);
  const late = await postAsInvitee('accept', other, { position: here });
  expect(await statusAndCode(late)).toEqual([410, 'invitation_ended']);
  await expectRefunds(fake, [1799, 3999]);
});

test('guarantee: a plan that was cancelled and ended before any answer is refunded', async () => {
  const { fake, headers, later } = await buyer('monthly_3d_usd');
  const code = await invite(headers);
  await postAsInvitee('open', code);
  const stub = stubOf(headers);
  const plan = async () => {
    const subscriptions: OwnedSubscription[] = await stub.ownedSubscriptions();
    return subscriptions.find(({ subscription }) => subscription.slot === 'main')?.subscription;
  };
  await stub.cancelSubscription((await plan())?.attempt ?? attemptId(''));
  await vi.waitFor(async () => expect((await plan())?.ends).toBe(true), pollTimeout);
  later(4);
  await stub.sync();
  expect((await plan())?.status).toBe('ended');
  await postAsInvitee('decline', code);
  await backdateInvitations(headers);
  expect(await isOpen(headers)).toBe(true);
  expect((await claim(headers)).status).toBe(200);
  expect(await isOpen(headers)).toBe(false);
  await expectRefunds(fake, [1799, 299]);
});

test('guarantee: a refusal during an earlier plan does not allow a claim for a later one', async () => {
  const { fake, headers } = await buyer();
  await inviteAndDecline(headers);
  const subscriptions: OwnedSubscription[] = await stubOf(headers).ownedSubscriptions();
  const plan = subscriptions.find(({ subscription }) => subscription.slot === 'main');
  const payment = plan?.rows[0]?.paymentId ?? paymentIdOf('');
  await stubOf(headers).refund(payment, null, 'whole');
  await pollUntilDone(await pollingId('quarterly_usd', card(), headers));
  await backdateInvitations(headers);
  expect(await guaranteeOf(headers)).toEqual({
    open: false,
    until: 0,
    agreed: false,
    attempts: [],
  });
  expect((await claim(headers)).status).toBe(409);
  expect(fake.captures().map(({ refunded }) => refunded)).toEqual([3999, 0, 0]);
});

test('guarantee: a claim that fails half-way changes nothing, and can be repeated', async () => {
  const { fake, headers } = await buyer();
  await inviteAndDecline(headers);
  await backdateInvitations(headers);
  const { saveSubscription: hold } = PurchaseStorage.prototype;
  const broken = vi
    .spyOn(PurchaseStorage.prototype, 'saveSubscription')
    .mockImplementation(function (this: PurchaseStorage, ...change) {
      if (broken.mock.calls.length > 1) throw new Error('storage failed');
      hold.apply(this, change);
    });
  const stub = stubOf(headers);
  const before: OwnedSubscription[] = await stub.ownedSubscriptions();
  const attempts = before.map(({ subscription }) => subscription.attempt);
  // Inside the object, because the runtime prints an error that leaves it.
  await runInDurableObject(stub, (object: Purchases) =>
    expect(object.claim(attempts)).rejects.toThrow('storage failed'),
  );
  broken.mockRestore();
  const subscriptions: OwnedSubscription[] = await stub.ownedSubscriptions();
  expect(subscriptions.map(({ subscription }) => subscription.withdrawnAt)).toEqual([null, null]);
  expect((await claim(headers)).status).toBe(200);
  await expectRefunds(fake, [1799, 3999]);
});

test('guarantee: a requester who saw an acceptance has no claim, even after sharing was stopped', async () => {
  const { headers } = await buyer();
  const code = await invite(headers);
  await postAsInvitee('open', code);
  await postAsInvitee('accept', code, { position: here });
  await request('/api/v1/users/me/invitations', { headers });
  await postAsInvitee('stop', code);
  expect(await guaranteeOf(headers)).toMatchObject({ open: false, agreed: true });
});
