import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Invitee } from '../../../../worker/invitations/invitee-object.ts';
import type { Invitation } from '../../../../worker/invitations/rules/invitation.ts';
import type { LedgerRow } from '../../../../worker/payments/ledger/ledger-table.ts';
import type { ReceiptView } from '../../../../worker/payments/notices/receipt.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import type { SubscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { verify } from '../../accounts/account-fixture.ts';
import { here } from '../../invitations/invitation-fixture.ts';
import { captureLog, freshNumber, newInvitee } from '../../invitations/sms/sms-fixture.ts';
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

describe('guarantee API', () => {
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

  test('after a refusal all payments are refunded together and once', async () => {
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

  test('a plan that was cancelled and ended before any answer is refunded', async () => {
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

  test('a refusal during an earlier plan does not allow a claim for a later one', async () => {
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

  test('a claim that fails half-way changes nothing, and can be repeated', async () => {
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

  test('a requester who saw an acceptance has no claim, even after sharing was stopped', async () => {
    const { headers } = await buyer();
    const code = await invite(headers);
    await postAsInvitee('open', code);
    await postAsInvitee('accept', code, { position: here });
    await request('/api/v1/users/me/invitations', { headers });
    await postAsInvitee('stop', code);
    expect(await guaranteeOf(headers)).toMatchObject({ open: false, agreed: true });
  });
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
