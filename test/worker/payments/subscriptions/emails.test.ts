import { env } from 'cloudflare:test';
import type Stripe from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { mailPlan } from '../../../../worker/catalog/rules/plans.ts';
import { findPeople, personFacts } from '../../../../worker/console/people/people-table.ts';
import { minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { personalData } from '../../../../worker/privacy/personal-data.ts';
import { cycleOfOurs } from '../../../fakes/braintree/server.ts';
import { createMail } from '../../../fakes/mail/server.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { newAccount } from '../../accounts/account-fixture.ts';
import { deliver as deliverMails, stubMailVendor } from '../../email/email-fixture.ts';
import { deliverToQueue, recordingQueue } from '../../queue.ts';
import { planNamed } from '../attempts/attempt-fixture.ts';
import {
  buy,
  buyer,
  dayMs,
  gateways,
  minuteMs,
  owner,
  recordEmails,
  runAlarm,
  stubGateways,
  stubStripe,
} from '../payments-fixture.ts';
import { postStripe, signed } from '../webhooks/webhook-fixture.ts';

const ledgerRows = async (account: string) => {
  const rows = env.DB.prepare('SELECT kind, amount, payment_id FROM ledger WHERE account_id = ?');
  return (await rows.bind(account).all<{ kind: string; amount: number; payment_id: string }>())
    .results;
};

test('e-mail: a purchase is confirmed once', async () => {
  const { emails, attempt, purchase, runAlarm } = await owner({ plan: 'monthly_3d_eur' });
  for (let run = 0; run < 3; run++) await runAlarm();
  expect(emails.sent).toEqual([
    {
      id: `purchase_confirmation:${attempt.id}`,
      template: 'purchase_confirmation',
      account: purchase.account,
      site: 'https://funnel.test',
      until: null,
      data: {
        plan: mailPlan(planNamed('monthly_3d_eur')),
        at: expect.any(Number),
        timeZone: 'Europe/Berlin',
        paid: 299,
        coupon: null,
        renews: Date.now() + 3 * dayMs,
        withdraw: expect.any(Number),
        receipt: expect.any(String),
        taxIncluded: true,
      },
    },
  ]);
});

test.each([
  ['an intro’s buyer is reminded once, the day before', false, 'renewal_reminder'],
  ['not after a cancellation', true, 'cancellation'],
])('e-mail: %s', async (_, cancels, template) => {
  const { stub, attempt, emails, runAlarm, later } = await owner({ plan: 'monthly_3d_eur' });
  if (cancels) await stub.cancelSubscription(attempt.id);
  later(2.01);
  await runAlarm();
  await runAlarm();
  expect(emails.templates()).toEqual(['purchase_confirmation', template]);
  expect(emails.ofTemplate('renewal_reminder')).toMatchObject(
    cancels ? [] : [{ id: `renewal_reminder:${attempt.id}` }],
  );
});

test('e-mail: a reminder that is queued again, because its reply was lost, reaches the buyer once', async () => {
  const account = await newAccount();
  const { emails, attempt, runAlarm, later } = await owner({
    plan: 'monthly_3d_eur',
    account: account.id,
    email: account.email,
  });
  later(2.01);
  for (const isLost of [true, true, false, false]) {
    emails.losesReplies = isLost;
    await Promise.all([runAlarm(), runAlarm()]);
  }
  const reminders = emails.ofTemplate('renewal_reminder');
  expect(reminders.length).toBeGreaterThan(1);
  expect(new Set(reminders.map(({ id }) => id))).toEqual(
    new Set([`renewal_reminder:${attempt.id}`]),
  );
  const office = stubMailVendor();
  for (const reminder of reminders) await deliverMails([reminder]);
  expect(office.inbox(account.email)).toHaveLength(1);
});

test('e-mail: a cancellation has one receipt, also when repeated and the gateway is down', async () => {
  const { stub, emails, attempt, runAlarm, wait, owned } = await owner();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  const [first, second] = [
    await stub.cancelSubscription(attempt.id),
    await stub.cancelSubscription(attempt.id),
  ];
  await runAlarm();
  expect(first?.subscription.cancelRequestedAt).toBe(second?.subscription.cancelRequestedAt);
  const waiting = (await owned()).subscription;
  expect([waiting.ends, emails.templates()]).toEqual([
    false,
    ['purchase_confirmation', 'cancellation'],
  ]);
  expect(waiting.dueAt).toBeGreaterThan(waiting.cancelRequestedAt ?? 0);
  vi.stubGlobal('fetch', working);
  wait(10 * minuteMs);
  await runAlarm();
  expect((await owned()).subscription.ends).toBe(true);
  expect(emails.templates()).toEqual(['purchase_confirmation', 'cancellation']);
});

test('e-mail: each refund has one receipt', async () => {
  const { stub, emails, attempt, runAlarm } = await owner();
  const payment = attempt.charge?.paymentId ?? paymentIdOf('');
  await stub.refund(payment, minor(100), 'a');
  await stub.refund(payment, minor(100), 'a');
  await stub.refund(payment, minor(150), 'b');
  await stub.sync();
  await runAlarm();
  const parts = [{ data: { back: 100, partOf: 3999 } }, { data: { back: 150, partOf: 3999 } }];
  expect(emails.ofTemplate('refund')).toMatchObject(parts);
  // The last refund is the remainder, so it is not called a part.
  await stub.refund(payment, minor(3749), 'c');
  await runAlarm();
  expect(emails.ofTemplate('refund').at(-1)?.data).toMatchObject({ back: 3749 });
  expect(emails.ofTemplate('refund').at(-1)?.data).not.toHaveProperty('partOf');
});

test('withdrawal: the plan ends, everything is refunded once, and the owner gets an e-mail', async () => {
  const { fakes, stub, emails, attempt, runAlarm, owned } = await owner();
  for (let time = 0; time < 2; time++) {
    expect((await stub.withdraw(attempt.id))?.subscription.withdrawnAt).toBeGreaterThan(0);
    await runAlarm();
  }
  expect(fakes.captured()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
  expect((await owned()).subscription).toMatchObject({ ends: true });
  expect(emails.templates()).toEqual(['purchase_confirmation', 'withdrawal', 'refund']);
});

describe('renewal confirmation', () => {
  const type = 'invoice.payment_action_required';

  /** A plan whose renewal must be confirmed at the bank. */
  async function unconfirmed() {
    const events: Stripe.Event[] = [];
    const fake = stubStripe({
      onEvent: (event) => void events.push(event),
    });
    const account = await newAccount();
    const { purchase } = buyer({ account: account.id, email: account.email });
    const stub = env.PURCHASES.getByName(account.id);
    const attempt = await buy(stub, purchase);
    const emails = await recordEmails(stub);
    fake.state.cards[attempt.charge?.methodId ?? ''] = 'pm_card_authenticationRequired';
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 33 * dayMs });
    fake.passTime();
    const actionRequired = events.find((event) => event.type === type);
    if (!actionRequired) throw new Error('the bank asked nothing');
    return { fake, emails, stub, actionRequired, attempt, ...account };
  }

  /** The message that the endpoint queues for an event. */
  async function queued(event: object) {
    const { sent, queue } = recordingQueue();
    const body = JSON.stringify(event);
    await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
    return sent;
  }

  const invoiceIn = (event: Stripe.Event) => (event.data.object as Stripe.Invoice).id;

  test('one e-mail per invoice, without the URL of its page', async () => {
    const { emails, stub, actionRequired, attempt, id: account } = await unconfirmed();
    const invoice = invoiceIn(actionRequired);
    const messages = await queued(actionRequired);
    const again = await queued({ ...actionRequired, id: 'evt_retry' });
    await deliverToQueue('funnel-webhooks', [...messages, ...again]);
    await deliverToQueue('funnel-webhooks', messages);
    await runAlarm(stub);
    const ids = new Set(emails.ofTemplate('payment_confirmation').map(({ id }) => id));
    expect([...ids]).toEqual([`payment_confirmation:${invoice}`]);
    expect(emails.ofTemplate('payment_confirmation')[0]).toMatchObject({
      account,
      data: { plan: mailPlan(planNamed(attempt.plan)), invoice },
    });
    expect(JSON.stringify([messages, emails.sent])).not.toContain('invoice.stripe.com');
  });

  test('the e-mail links to the invoice’s page, and is not sent once it is paid', async () => {
    const { fake, emails, stub, actionRequired, email } = await unconfirmed();
    await deliverToQueue('funnel-webhooks', await queued(actionRequired));
    await runAlarm(stub);
    const [mail] = emails.ofTemplate('payment_confirmation');
    const office = createMail();
    const atStripe = globalThis.fetch;
    vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
      new URL(input).host === 'api.resend.com'
        ? office.fetch(new Request(input, init))
        : atStripe(input, init),
    );
    const invoice = fake.state.invoices[invoiceIn(actionRequired)] as Stripe.Invoice;
    invoice.status = 'paid';
    expect(await deliverMails([mail])).toMatchObject({ again: [] });
    expect(office.inbox(email)).toEqual([]);
    invoice.status = 'open';
    for (const _ of [1, 2]) await deliverMails([structuredClone(mail)]);
    expect(office.inbox(email)).toMatchObject([
      { text: expect.stringContaining(`https://invoice.stripe.com/i/acct_fake/${invoice.id}`) },
    ]);
  });

  test('no e-mail for a first payment, a paid renewal or an ending subscription', async () => {
    const { fake, emails, stub, actionRequired, attempt } = await unconfirmed();
    const first = {
      ...actionRequired,
      id: 'evt_first',
      data: { object: { ...actionRequired.data.object } },
    };
    (first.data.object as Stripe.Invoice).id = attempt.invoiceId ?? '';
    expect(attempt.invoiceId).toMatch(/^in_/);
    await deliverToQueue('funnel-webhooks', await queued(first));
    const subscription = fake.state.subscriptions[attempt.charge?.subscriptionId ?? ''];
    if (!subscription) throw new Error('no subscription');
    subscription.status = 'active';
    await deliverToQueue('funnel-webhooks', await queued({ ...actionRequired, id: 'evt_paid' }));
    subscription.status = 'past_due';
    await stub.cancelSubscription(attempt.id);
    await deliverToQueue('funnel-webhooks', await queued({ ...actionRequired, id: 'evt_ends' }));
    await runAlarm(stub);
    expect(emails.ofTemplate('payment_confirmation')).toEqual([]);
  });
});

test.each(gateways)(
  'e-mail: %s: the receipt of an upgrade, the export and the console name its payment',
  async (gateway) => {
    const { stub, attempt, purchase, emails, runAlarm } = await owner({ gateway });
    const request = { kind: 'upgrade', plan: 'quarterly_usd', months: 1 } as const;
    const quote = await stub.quoteChange(attempt.id, request);
    if (quote.kind !== 'quoted') throw new Error(quote.refusal);
    await stub.confirmChange(attempt.id, quote.change.id);
    for (let run = 0; run < 3; run++) await runAlarm();
    const paid = (await ledgerRows(purchase.account)).find(
      ({ payment_id }) => payment_id !== attempt.charge?.paymentId,
    );
    expect(paid).toMatchObject({ kind: 'capture', amount: quote.change.amount });
    expect(emails.ofTemplate('plan_change')).toMatchObject([
      { data: { receipt: paid?.payment_id } },
    ]);
    const { plan_changes } = await personalData(env.DB, purchase.account);
    const known = { kind: 'upgrade', plan: 'quarterly_usd', amount: paid?.amount };
    expect(plan_changes).toMatchObject([
      { ...known, state: 'done', currency: 'USD', payment_id: paid?.payment_id },
    ]);
    expect((await personFacts(env.DB, purchase.account)).changes).toMatchObject([known]);
    const [found] = await findPeople(env.DB, quote.change.id);
    expect(found?.account).toBe(purchase.account);
  },
);

test('e-mail: the refund of a failed purchase has a receipt', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  stubGateways({ cycleOf: () => undefined });
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce: approved.braintree });
  const emails = await recordEmails(stub);
  expect((await buy(stub, purchase)).state).toBe('failed');
  for (let run = 0; run < 2; run++) await runAlarm(stub);
  expect(emails.sent).toMatchObject([{ template: 'refund', data: { back: 3999 } }]);
  // It bought nothing, so it has no receipt page.
  expect(emails.sent[0]?.data).not.toHaveProperty('receipt', expect.anything());
});

test('e-mail: the refund of an upgrade that Braintree did not make has a receipt, and the plan continues', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let refuses = false;
  const cycleOf = (plan: string) => (refuses ? undefined : cycleOfOurs(plan));
  const fakes = stubGateways({ cycleOf });
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce: approved.braintree });
  const emails = await recordEmails(stub);
  const attempt = await buy(stub, purchase);
  vi.setSystemTime(Date.now() + dayMs);
  refuses = true;
  const request = { kind: 'upgrade', plan: 'quarterly_usd', months: 1 } as const;
  const quote = await stub.quoteChange(attempt.id, request);
  if (quote.kind !== 'quoted') throw new Error(quote.refusal);
  const { id, amount } = quote.change;
  await stub.confirmChange(attempt.id, id);
  for (let run = 0; run < 3; run++) await runAlarm(stub);
  expect((await stub.planChange(id))?.state).toBe('failed');
  const reversed = fakes.captured().filter(({ refunded }) => refunded > 0);
  expect(reversed).toMatchObject([{ attempt: id, amount, refunded: amount }]);
  expect(emails.ofTemplate('plan_change')).toEqual([]);
  expect(emails.ofTemplate('refund')).toMatchObject([{ data: { back: amount } }]);
  expect(emails.ofTemplate('refund')[0]?.data).not.toHaveProperty('receipt', expect.anything());
  await stub.sync();
  const [owned] = await stub.ownedSubscriptions();
  expect(owned?.subscription).toMatchObject({ status: 'active', cancelRequestedAt: null });
});
