import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { failedRenewals } from '../../../../worker/payments/subscriptions/failed-renewal-report.ts';
import { createMail } from '../../../fakes/mail/server.ts';
import { newAccount } from '../../accounts/account-fixture.ts';
import { deliver as deliverMails } from '../../email/email-fixture.ts';
import { post, refusalOf } from '../../request.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { endSubscription } from '../attempts/provider-side.ts';
import { dayMs, gateways, hourMs, owner } from '../payments-fixture.ts';

/** The gateways, and Stripe with the setting that pauses a subscription after a failed payment. */
const settings = [
  ['stripe', 'past_due'],
  ['stripe', 'paused'],
  ['braintree', 'past_due'],
] as const;

/** A monthly plan in New York, whose card is declined from now on. */
async function late(gateway: GatewayName, afterFailure: 'past_due' | 'paused' = 'past_due') {
  const account = await newAccount();
  const terms = shownTerms({ timeZone: 'America/New_York' });
  const one = await owner({ gateway, terms, account: account.id, email: account.email });
  const { stripe, braintree } = one.fakes;
  stripe.settings.afterFailure = afterFailure;
  const card = {
    refuse() {
      for (const id of Object.keys(stripe.state.payment_methods))
        stripe.state.cards[id] = 'pm_card_chargeCustomerFail';
      for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '2001');
    },
    accept() {
      for (const id of Object.keys(stripe.state.payment_methods))
        stripe.state.cards[id] = 'pm_card_visa';
      for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '1000');
    },
  };
  card.refuse();
  const { subscription } = await one.owned();
  /** Lets hours pass in steps, at the gateways and for the account. */
  const pass = async (until: number, stepMs = 3 * hourMs) => {
    while (Date.now() < until) {
      vi.setSystemTime(Math.min(until, Date.now() + stepMs));
      stripe.passTime();
      await braintree.passTime();
      await one.runAlarm();
    }
  };
  const dueAt = subscription.paidUntil ?? 0;
  await pass(dueAt + 8 * hourMs, 10 * dayMs);
  return { ...one, card, pass, dueAt, email: account.email, account: account.id };
}

const hourThere = (at: number) =>
  Number(
    new Date(at).toLocaleString('en', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      hourCycle: 'h23',
    }),
  );

const reported = async (account: string) => {
  const { results } = await env.DB.prepare(
    'SELECT outcome, amount, currency FROM failed_renewals WHERE account_id = ?',
  )
    .bind(account)
    .all();
  return results;
};

test.each(settings)(
  'failed renewals: %s, then %s: three e-mails by day, then access ends',
  async (gateway, afterFailure) => {
    const { stub, emails, pass, dueAt, owned, account } = await late(gateway, afterFailure);
    const sentAt: number[] = [];
    for (let count = 0; Date.now() < dueAt + 8 * dayMs; ) {
      await pass(Date.now() + 3 * hourMs);
      const letters = emails.ofTemplate('renewal_failed').length;
      if (letters > count) sentAt.push(Date.now());
      count = letters;
      expect((await stub.activePlan('main')) !== null).toBe(Date.now() < dueAt + 7 * dayMs);
    }
    expect(
      emails.ofTemplate('renewal_failed').map(({ data }) => (data as { step: string }).step),
    ).toEqual(['failed', 'middle', 'last']);
    for (const at of sentAt)
      expect(hourThere(at)).toSatisfy((hour: number) => hour >= 9 && hour < 23);
    expect((await owned()).subscription).toMatchObject({ status: 'past_due' });
    await pass(dueAt + 32 * dayMs, dayMs);
    expect((await owned()).subscription).toMatchObject({ status: 'ended' });
    expect(emails.ofTemplate('renewal_failed')).toHaveLength(3);
    expect(await reported(account)).toEqual([{ outcome: 'lost', amount: 3999, currency: 'USD' }]);
  },
);

test.each(settings)(
  'failed renewals: %s, then %s: a retry that is paid ends the e-mails, with a receipt',
  async (gateway, afterFailure) => {
    const { emails, pass, card, dueAt, owned, account } = await late(gateway, afterFailure);
    await pass(dueAt + dayMs);
    expect(emails.ofTemplate('renewal_failed')).toHaveLength(1);
    card.accept();
    await pass(dueAt + 16 * dayMs, dayMs / 2);
    expect((await owned()).subscription).toMatchObject({ status: 'active' });
    const before = emails.ofTemplate('renewal_failed').length;
    await pass(dueAt + 20 * dayMs, dayMs);
    expect(emails.ofTemplate('renewal_failed')).toHaveLength(before);
    const receipts = emails.ofTemplate('renewal_receipt');
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    expect(receipts[0]).toMatchObject({ data: { paid: 3999, timeZone: 'America/New_York' } });
    expect(await reported(account)).toEqual([
      { outcome: 'retried', amount: 3999, currency: 'USD' },
    ]);
  },
);

test.each(gateways)(
  'failed renewals: %s: a cancellation or a dispute stops the e-mails',
  async (gateway) => {
    const cancelled = await late(gateway);
    await cancelled.stub.cancelSubscription(cancelled.attempt.id);
    await cancelled.pass(cancelled.dueAt + 8 * dayMs);
    expect(cancelled.emails.ofTemplate('renewal_failed')).toEqual([]);
    expect(await reported(cancelled.account)).toMatchObject([{ outcome: 'cancelled' }]);
    expect(await cancelled.stub.activePlan('main')).toBeNull();

    const disputed = await late(gateway);
    const { stripe, braintree } = disputed.fakes;
    const payment = disputed.attempt.charge?.paymentId ?? '';
    if (gateway === 'stripe') stripe.dispute(payment);
    else braintree.dispute(payment);
    await disputed.pass(disputed.dueAt + 8 * dayMs);
    expect(disputed.emails.ofTemplate('renewal_failed')).toEqual([]);
    expect(await reported(disputed.account)).toMatchObject([{ outcome: 'disputed' }]);
  },
);

test.each(gateways)(
  'failed renewals: %s: a renewal that the gateway ends is lost',
  async (gateway) => {
    const { fakes, attempt, pass, dueAt, account, owned, emails } = await late(gateway);
    await endSubscription(fakes, gateway, attempt.charge?.subscriptionId ?? '');
    await pass(dueAt + 3 * dayMs);
    expect((await owned()).subscription).toMatchObject({ status: 'ended' });
    expect(emails.ofTemplate('renewal_failed').length).toBeLessThan(2);
    expect(await reported(account)).toMatchObject([{ outcome: 'lost' }]);
  },
);

/** Sends queued e-mails; returns the mailbox. */
async function sendTo(email: string, mails: readonly unknown[]) {
  const office = createMail();
  const atBanks = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    new URL(input).host === 'api.resend.com'
      ? office.fetch(new Request(input, init))
      : atBanks(input, init),
  );
  await deliverMails(structuredClone([...mails]));
  vi.stubGlobal('fetch', atBanks);
  return office.inbox(email);
}

test('failed renewals: the e-mail’s link opens the card page once; it is not sent after the payment', async () => {
  const { emails, pass, card, dueAt, email } = await late('stripe');
  await pass(dueAt + dayMs);
  const mails = emails.ofTemplate('renewal_failed');
  const [mail] = await sendTo(email, [...mails, ...mails]);
  const code = /manage\/card#([\w-]{22})/.exec(mail?.text ?? '')?.[1];
  expect(mail?.text).toContain('$39.99');
  expect((await post('/card-link/open', { code })).status).toBe(200);
  expect((await refusalOf(await post('/card-link/open', { code })))[1]).toBe('card_link_used');
  card.accept();
  await pass(dueAt + 16 * dayMs, dayMs);
  const again = mails.map((one) => ({ ...one, id: `${one.id}:again`, until: null }));
  expect(await sendTo(email, again)).toEqual([]);
});

test('failed renewals: the report counts by outcome, with amounts and days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100 * 365 * dayMs });
  const period = { from: Date.now(), to: Date.now() + 365 * dayMs };
  const insert = env.DB.prepare(
    `INSERT INTO failed_renewals (attempt_id, period_ended_at, account_id, gateway, amount, currency, failed_at,
       outcome, ended_at, version) VALUES (?, ?, 'a', 'stripe', 3999, 'EUR', ?, ?, ?, 1)`,
  );
  const rows: [string, string, number | null][] = [
    ['r1', 'retried', 2],
    ['r2', 'retried', 4],
    ['r3', 'open', null],
  ];
  await env.DB.batch(
    rows.map(([id, outcome, days]) =>
      insert.bind(id, 1, period.from, outcome, days && period.from + days * dayMs),
    ),
  );
  const about = { gateway: 'stripe', currency: 'EUR' };
  expect(await failedRenewals(env.DB, period)).toEqual([
    { ...about, outcome: 'open', count: 1, amount: 3999, days: null },
    { ...about, outcome: 'retried', count: 2, amount: 7998, days: 3 },
  ]);
});

/** A plan whose card expires in this many months. */
async function expiring(gateway: GatewayName, months: number) {
  const one = await owner({ gateway, terms: shownTerms({ timeZone: 'America/New_York' }) });
  const { stripe, braintree } = one.fakes;
  const date = new Date();
  const end = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const [year, month] = [end.getUTCFullYear(), end.getUTCMonth() + 1];
  for (const { card } of Object.values(stripe.state.payment_methods)) {
    if (card) Object.assign(card, { exp_month: month, exp_year: year });
  }
  for (const { card } of Object.values(braintree.state.methods))
    card.expiration = `${String(month).padStart(2, '0')}/${year}`;
  return { ...one, year, month, validUntil: Date.UTC(year, month, 1) };
}

test.each(gateways)(
  'card expiry: %s: one e-mail by day in the 30 days before the card expires',
  async (gateway) => {
    const { emails, wait, runAlarm, fakes, year, month, validUntil } = await expiring(gateway, 2);
    let sentAt = 0;
    while (Date.now() < validUntil + 10 * dayMs) {
      wait(6 * hourMs);
      await fakes.braintree.passTime();
      await runAlarm();
      if (sentAt === 0 && emails.ofTemplate('card_expires').length > 0) sentAt = Date.now();
    }
    expect(new Set(emails.ofTemplate('card_expires').map(({ id }) => id)).size).toBe(1);
    expect(emails.ofTemplate('card_expires')[0]).toMatchObject({
      until: validUntil,
      data: { year, month },
    });
    expect(validUntil - sentAt).toBeLessThanOrEqual(30 * dayMs);
    expect(validUntil - sentAt).toBeGreaterThan(28 * dayMs);
  },
);

test('card expiry: no e-mail about a plan that ends', async () => {
  const { emails, wait, runAlarm, stub, attempt, validUntil } = await expiring('stripe', 1);
  await stub.cancelSubscription(attempt.id);
  while (Date.now() < validUntil) {
    wait(dayMs);
    await runAlarm();
  }
  expect(emails.ofTemplate('card_expires')).toEqual([]);
});
