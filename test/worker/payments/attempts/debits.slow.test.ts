import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { bankPurchase, ibans } from '../bank-fixture.ts';
import {
  buy,
  buyer,
  dayMs,
  hourMs,
  recordEmails,
  remainingAmounts,
  runAlarm,
  startPurchase,
  stubGateways,
  unrefunded,
} from '../payments-fixture.ts';
import { shownTerms } from './attempt-fixture.ts';

/** A buyer in the euro zone, whose clock and gateways stand still except by `later`. */
async function buyByBank(
  bank: 'sepa_debit' | 'ideal' | 'bancontact' = 'sepa_debit',
  iban?: string,
) {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const paid = await bankPurchase(fakes.stripe, bank, iban);
  const { stub, purchase } = buyer({ ...paid, terms: shownTerms() });
  const emails = await recordEmails(stub);
  const attempt = await buy(stub, purchase);
  await runAlarm(stub);
  return {
    ...{ fakes, stub, purchase, emails, attempt },
    /** Lets days pass, after which a webhook arrives. */
    async later(days: number) {
      vi.setSystemTime(Date.now() + days * dayMs);
      fakes.stripe.passTime();
      await stub.sync();
      await runAlarm(stub);
    },
    state: async () => (await stub.result(attempt.pollingId))?.state,
    reasons: async () => (await stub.entitlements()).active.map(({ reason }) => reason),
    owned: async () => {
      const [one] = await stub.ownedSubscriptions();
      if (!one) throw new Error('nothing');
      return one;
    },
  };
}

test('SEPA debit: access begins with the debit; the ledger gets the payment days later', async () => {
  const { stub, emails, attempt, later, state, reasons, owned } = await buyByBank();
  expect(attempt).toMatchObject({ state: 'processing', acceptance: null });
  expect([await reasons(), (await owned()).rows, emails.templates()]).toEqual([
    ['provisional'],
    [],
    ['debit_processing'],
  ]);
  expect([await stub.activePlan('main'), await stub.hasActiveMainPlan()]).toEqual([
    'monthly_eur',
    true,
  ]);
  await later(5);
  expect([await state(), await reasons()]).toEqual(['active', ['subscription']]);
  expect((await owned()).rows.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['capture', attempt.amount],
  ]);
  expect(emails.templates()).toEqual(['debit_processing', 'purchase_confirmation']);
});

test('SEPA debit: a failure days later ends the access, and the plan can be bought again', async () => {
  const { stub, purchase, fakes, emails, later, state, reasons, owned } = await buyByBank(
    'sepa_debit',
    ibans.failsLater,
  );
  expect(await reasons()).toEqual(['provisional']);
  await later(5);
  expect([await state(), await reasons(), (await owned()).rows]).toEqual(['declined', [], []]);
  expect(emails.templates()).toEqual(['debit_processing', 'debit_failed']);
  const statuses = Object.values(fakes.stripe.state.subscriptions).map(({ status }) => status);
  expect(statuses).toEqual(['canceled']);
  const card = { ...purchase, nonce: 'pm_card_visa', bank: null, acceptance: null };
  const again = await startPurchase(stub, card);
  await runAlarm(stub);
  expect((await stub.result(again))?.state).toBe('active');
  expect(await stub.sync()).toBe(true);
});

test.each([
  [ibans.paysLater, null],
  [ibans.failsLater, 'main_plan_required'],
])('SEPA debit: nobody can be invited before the money has arrived (%s)', async (iban, refusal) => {
  const { stub, purchase, later } = await buyByBank('sepa_debit', iban);
  const invitee = await newInvitee({ account: purchase.account, via: 'link' });
  const unconfirmed = { kind: 'refused', refusal: 'payment_unconfirmed' };
  expect(await invitee.stub.invite(invitee.request)).toEqual(unconfirmed);
  await later(5);
  expect((await stub.invitationRight()).refusal).toBe(refusal);
  expect((await invitee.stub.invite(invitee.request)).kind).toBe(refusal ? 'refused' : 'invited');
});

test('SEPA debit: while it is processed the plan cannot be bought again, nor any extra', async () => {
  const { stub, purchase, fakes, attempt } = await buyByBank();
  const again = await stub.buy({ ...purchase, nonce: 'pm_card_visa', bank: null });
  expect(again).toEqual({ kind: 'accepted', pollingId: attempt.pollingId });
  expect(await stub.buy({ ...purchase, plan: 'quarterly_eur' })).toMatchObject({
    refusal: 'debit_pending',
  });
  const extra = { ...purchase, plan: 'upsell_monthly_999_eur', nonce: null, bank: null };
  expect(await stub.buy(extra)).toMatchObject({ refusal: 'debit_pending' });
  expect(Object.keys(fakes.stripe.state.payment_intents)).toHaveLength(1);
});

test('SEPA debit: without a webhook it is looked up every six hours, and becomes an operator case after weeks', async () => {
  const { stub, state, fakes } = await buyByBank();
  // The bank does not respond at all.
  for (const id of Object.keys(fakes.stripe.state.debits))
    fakes.stripe.state.debits[id] = Number.POSITIVE_INFINITY;
  vi.setSystemTime(Date.now() + 23 * dayMs);
  await runAlarm(stub);
  expect(await state()).toBe('processing');
  const cases = await env.DB.prepare(
    "SELECT COUNT(*) AS n FROM dead_letters WHERE reason = 'outcome unknown' AND body LIKE ?",
  )
    .bind(`%${stub.name}%`)
    .first('n');
  expect(cases).toBe(1);
  for (const id of Object.keys(fakes.stripe.state.debits)) fakes.stripe.state.debits[id] = 0;
  vi.setSystemTime(Date.now() + 6 * hourMs + 1000);
  await runAlarm(stub);
  expect(await state()).toBe('active');
});

test('SEPA debit: a buyer who withdraws meanwhile has no access, and is refunded once the payment has arrived', async () => {
  const { stub, fakes, attempt, later, reasons } = await buyByBank();
  expect(await stub.withdraw(attempt.id)).toMatchObject({ subscription: { isProvisional: true } });
  expect([await reasons(), await stub.activePlan('main')]).toEqual([[], null]);
  await later(5);
  await runAlarm(stub);
  expect(remainingAmounts(fakes.captured())).toEqual([0]);
  expect(await stub.hasActiveMainPlan()).toBe(false);
});

test('SEPA debit: a buyer who cancels meanwhile keeps the paid period, and nothing renews', async () => {
  const { stub, attempt, later, reasons, owned } = await buyByBank();
  await stub.cancelSubscription(attempt.id);
  await later(5);
  await runAlarm(stub);
  expect(await reasons()).toEqual(['kept_until_end']);
  expect((await owned()).subscription).toMatchObject({ ends: true, isProvisional: false });
});

test('SEPA debit: a renewal keeps access while it is processed, also beyond the grace period', async () => {
  const { stub, fakes, later, reasons, owned } = await buyByBank();
  await later(5);
  const { debits } = fakes.stripe.state;
  const renewsAt = (await owned()).subscription.paidUntil ?? 0;
  // The draft's hour passes, then the renewal's debit is processed for ten days.
  vi.setSystemTime(renewsAt + hourMs + 60_000);
  fakes.stripe.passTime();
  for (const id of Object.keys(debits)) debits[id] = Math.floor(renewsAt / 1000) + 10 * 86_400;
  await stub.sync();
  expect((await owned()).subscription).toMatchObject({ status: 'active', isDebited: true });
  await later(9);
  expect(await reasons()).toEqual(['subscription']);
  await later(2);
  expect((await owned()).rows.map(({ kind }) => kind)).toEqual(['capture', 'capture']);
});

test('SEPA debit: a dispute eight weeks later is lost at once and ends the plan', async () => {
  const { stub, fakes, attempt, later, reasons, owned } = await buyByBank();
  await later(5);
  fakes.stripe.dispute((await stub.result(attempt.pollingId))?.charge?.paymentId ?? '');
  await later(1);
  expect((await owned()).rows.map(({ kind }) => kind)).toContain('dispute');
  await runAlarm(stub);
  expect(await reasons()).not.toContain('subscription');
});

/** The payer responds on the bank's page, and returns. */
async function returnFromBank(
  { stub, fakes, purchase, attempt }: Awaited<ReturnType<typeof buyByBank>>,
  how: 'authenticated' | 'failed',
) {
  fakes.stripe.challenge(attempt.paymentId ?? '', how);
  return buy(stub, { ...purchase, nonce: null, paymentId: attempt.paymentId });
}

test.each(['ideal', 'bancontact'] as const)(
  'bank redirect: %s: the first payment is made at the bank, renewals by a debit of the same account',
  async (bank) => {
    const one = await buyByBank(bank);
    expect(one.attempt).toMatchObject({ state: 'challenged', acceptance: { userAgent: 'test' } });
    expect(await returnFromBank(one, 'authenticated')).toMatchObject({
      state: 'active',
      acceptance: null,
    });
    const extra = { ...one.purchase, nonce: null, bank: null, acceptance: null };
    const bought = await buy(one.stub, { ...extra, plan: 'upsell_monthly_999_eur' });
    expect(bought).toMatchObject({ state: 'processing', bank: 'sepa_debit' });
    expect(await one.reasons()).toEqual(['subscription', 'provisional']);
    await one.later(5);
    expect(await one.reasons()).toEqual(['subscription', 'subscription']);
    expect(unrefunded(one.fakes.captured())).toHaveLength(2);
  },
);

test('iDEAL: a payment not made at the bank is a decline, and nothing stays at the gateway', async () => {
  const one = await buyByBank('ideal');
  expect((await returnFromBank(one, 'failed')).state).toBe('declined');
  const { subscriptions } = one.fakes.stripe.state;
  expect(Object.values(subscriptions).map(({ status }) => status)).toEqual(['incomplete_expired']);
});

test('iDEAL: a payer who returns after the webhook of a refusal sees the refusal', async () => {
  const one = await buyByBank('ideal');
  one.fakes.stripe.challenge(one.attempt.paymentId ?? '', 'failed');
  await one.stub.sync();
  await runAlarm(one.stub);
  expect(await one.state()).toBe('declined');
  const back = { ...one.purchase, nonce: null, paymentId: one.attempt.paymentId };
  expect(await one.stub.buy(back)).toMatchObject({ pollingId: one.attempt.pollingId });
  const other = { ...back, paymentId: paymentIdOf('pi_other') };
  expect(await one.stub.buy(other)).toMatchObject({ refusal: 'payment_intent_mismatch' });
});

test.each(['ideal', 'bancontact'] as const)(
  'bank redirect: %s: the webhook alone activates the purchase of a payer who never returns',
  async (bank) => {
    const one = await buyByBank(bank);
    one.fakes.stripe.challenge(one.attempt.paymentId ?? '', 'authenticated');
    await one.stub.sync();
    await runAlarm(one.stub);
    expect([await one.state(), await one.reasons()]).toEqual(['active', ['subscription']]);
    const card = { ...one.purchase, nonce: 'pm_card_visa', bank: null, acceptance: null };
    expect((await buy(one.stub, card)).state).toBe('active');
    expect(unrefunded(one.fakes.captured())).toHaveLength(1);
  },
);

test('iDEAL: a buyer who chooses it again before paying gets the same page', async () => {
  const { stub, purchase, fakes, attempt } = await buyByBank('ideal');
  const again = await bankPurchase(fakes.stripe, 'ideal');
  const challenged = await buy(stub, { ...purchase, ...again });
  expect(challenged).toMatchObject({ id: attempt.id, state: 'challenged', secret: attempt.secret });
  expect(Object.keys(fakes.stripe.state.payment_intents)).toHaveLength(1);
});

test('iDEAL: a payer who leaves the bank with the browser’s Back may pay by card', async () => {
  const { stub, purchase, fakes } = await buyByBank('ideal');
  const card = { ...purchase, nonce: 'pm_card_visa', bank: null, acceptance: null };
  expect((await buy(stub, card)).state).toBe('active');
  expect(unrefunded(fakes.captured())).toHaveLength(1);
});
