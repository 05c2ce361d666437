import { env, runInDurableObject } from 'cloudflare:test';
import type Stripe from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { minor, paymentIdOf } from '../../../../worker/types.ts';
import { createMail } from '../../../fakes/mail/server.ts';
import { newAccount } from '../../accounts/account-fixture.ts';
import { deliver as deliverMails } from '../../email/email-fixture.ts';
import { shownTerms } from '../attempt-fixture.ts';
import {
  buy,
  buyer,
  forgetIntros,
  known,
  open,
  openBank,
  postBox,
  quietly,
  settle,
} from '../payments-fixture.ts';
import { deliver, keepingQueue, postStripe, signed } from '../webhook-fixture.ts';

quietly();

const day = 24 * 60 * 60_000;

/** A buyer of a plan, with a queue that keeps the mails, at a bank whose clock is the test's. */
async function bought(plan = 'monthly_3d_eur') {
  const ahead = 0;
  const bank = openBank(undefined, undefined, { now: () => Date.now() + ahead });
  const { stub, purchase } = buyer({ plan, terms: shownTerms() });
  const box = await postBox(stub);
  const { id } = await buy(stub, purchase);
  await settle(stub);
  const later = (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * day });
    bank.passTime();
  };
  return { bank, stub, box, attempt: id, later, account: purchase.account };
}

test('e-mail: a purchase is confirmed once', async () => {
  const { stub, box, attempt, account } = await bought();
  for (let run = 0; run < 3; run++) await settle(stub);
  expect(box.sent).toEqual([
    {
      id: `bought:${attempt}`,
      template: 'bought',
      account,
      site: 'https://funnel.test',
      until: null,
      data: {
        plan: 'monthly_3d_eur',
        at: expect.any(Number),
        timeZone: 'Europe/Berlin',
        paid: 299,
        coupon: null,
        renews: expect.closeTo(Date.now() + 3 * day, -5),
        withdraw: expect.any(Number),
      },
    },
  ]);
});

test('e-mail: with the queue down the confirmation is sent later', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  openBank();
  const { stub, purchase } = buyer({ terms: shownTerms() });
  const box = await postBox(stub);
  box.refuses = true;
  await known(stub, await open(stub, purchase));
  await settle(stub);
  const due = await runInDurableObject(stub, (_, state) => state.storage.getAlarm());
  expect([box.sent, due === null]).toEqual([[], false]);
  box.refuses = false;
  await settle(stub);
  expect(box.letters()).toEqual(['bought']);
});

test('e-mail: an intro’s buyer is reminded once, the day before; not after a cancellation', async () => {
  const stays = await bought();
  await forgetIntros();
  const leaves = await bought();
  await leaves.stub.cancelSubscription(leaves.attempt);
  for (const { later } of [stays]) later(2.01);
  for (const { stub } of [stays, leaves]) {
    await settle(stub);
    await settle(stub);
  }
  expect(stays.box.letters()).toEqual(['bought', 'reminder']);
  expect(stays.box.of('reminder')).toMatchObject([{ id: `reminder:${stays.attempt}` }]);
  expect(leaves.box.letters()).toEqual(['bought', 'cancelled']);
});

test('e-mail: a plan without an intro has no reminder', async () => {
  const { stub, box, later } = await bought('monthly_eur');
  later(29.5);
  await settle(stub);
  expect(box.letters()).toEqual(['bought']);
});

test('e-mail: a cancellation has one receipt, also when repeated and the gateway is down', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { stub, box, attempt } = await bought();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  const [first, second] = [
    await stub.cancelSubscription(attempt),
    await stub.cancelSubscription(attempt),
  ];
  await settle(stub);
  expect(first?.subscription.cancelAskedAt).toBe(second?.subscription.cancelAskedAt);
  expect(box.letters()).toEqual(['bought', 'cancelled']);
  vi.stubGlobal('fetch', working);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
  await settle(stub);
  expect((await stub.ownedSubscriptions())[0]?.subscription.ends).toBe(true);
  expect(box.letters()).toEqual(['bought', 'cancelled']);
});

test('e-mail: each refund has one receipt', async () => {
  const { stub, box } = await bought();
  const [held] = await stub.ownedSubscriptions();
  const payment = held?.rows[0]?.paymentId ?? paymentIdOf('');
  await stub.refund(payment, minor(100), 'a');
  await stub.refund(payment, minor(100), 'a');
  await stub.refund(payment, minor(150), 'b');
  await stub.sync();
  await settle(stub);
  const backs = box.of('refunded').map(({ data }) => (data as { back: number }).back);
  expect(backs.sort()).toEqual([100, 150]);
});

test('withdrawal: the plan ends, everything is refunded once, and the owner gets an e-mail', async () => {
  const { bank, stub, box, attempt } = await bought();
  for (let time = 0; time < 2; time++) {
    expect((await stub.withdraw(attempt))?.subscription.withdrawnAt).toBeGreaterThan(0);
    await settle(stub);
  }
  expect(bank.captures()).toMatchObject([{ amount: 299, refunded: 299 }]);
  expect((await stub.ownedSubscriptions())[0]?.subscription).toMatchObject({ ends: true });
  expect(box.letters()).toEqual(['bought', 'withdrawn', 'refunded']);
});

test('withdrawal: with the gateway down it is refunded later, once', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { bank, stub, attempt } = await bought();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  await stub.withdraw(attempt);
  await settle(stub);
  expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
  vi.stubGlobal('fetch', working);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
  await settle(stub);
  await settle(stub);
  expect(bank.captures()).toMatchObject([{ refunded: 299 }]);
});

test('withdrawal: refused after the period and for another account’s purchase', async () => {
  const { stub, attempt, later } = await bought();
  expect(await stub.withdraw('nothing')).toBeUndefined();
  later(20);
  expect(await stub.withdraw(attempt)).toBeUndefined();
  await stub.sync();
});

describe('confirm renewal', () => {
  const type = 'invoice.payment_action_required';

  const day = 86_400_000;

  /** A plan whose renewal the bank wants its buyer to confirm. */
  async function unconfirmed() {
    const events: Stripe.Event[] = [];
    const bank = openBank(undefined, undefined, {
      now: () => Date.now(),
      onEvent: (event) => void events.push(event),
    });
    const account = await newAccount();
    const { purchase } = buyer({ account: account.id, email: account.email });
    const stub = env.PURCHASES.getByName(account.id);
    const attempt = await buy(stub, purchase);
    const box = await postBox(stub);
    const method = attempt.charge?.methodId ?? '';
    bank.state.cards[method] = 'pm_card_authenticationRequired';
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 33 * day });
    bank.passTime();
    const asked = events.find((event) => event.type === type);
    if (!asked) throw new Error('the bank asked nothing');
    return { bank, box, stub, asked, attempt, ...account };
  }

  /** What the endpoint queues for an event. */
  async function queued(event: object) {
    const { sent, queue } = keepingQueue();
    const body = JSON.stringify(event);
    await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
    return sent;
  }

  const invoiceIn = (event: Stripe.Event) => (event.data.object as Stripe.Invoice).id;

  test('confirm renewal: one e-mail per invoice, without the address of its page', async () => {
    const { box, stub, asked, attempt, id: account } = await unconfirmed();
    const invoice = invoiceIn(asked);
    const messages = await queued(asked);
    const again = await queued({ ...asked, id: 'evt_retry' });
    await deliver('funnel-webhooks', [...messages, ...again]);
    await deliver('funnel-webhooks', messages);
    await settle(stub);
    const ids = new Set(box.of('confirm_payment').map(({ id }) => id));
    expect([...ids]).toEqual([`confirm_payment:${invoice}`]);
    expect(box.of('confirm_payment')[0]).toMatchObject({
      account,
      data: { plan: attempt.plan, invoice },
    });
    expect(JSON.stringify([messages, box.sent])).not.toContain('invoice.stripe.com');
  });

  test('confirm renewal: the e-mail links to the invoice’s page, and is not sent once it is paid', async () => {
    const { bank, box, stub, asked, email } = await unconfirmed();
    await deliver('funnel-webhooks', await queued(asked));
    await settle(stub);
    const [mail] = box.of('confirm_payment');
    const office = createMail();
    const atStripe = globalThis.fetch;
    vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
      new URL(input).host === 'api.resend.com'
        ? office.fetch(new Request(input, init))
        : atStripe(input, init),
    );
    const invoice = bank.state.invoices[invoiceIn(asked)] as Stripe.Invoice;
    invoice.status = 'paid';
    expect(await deliverMails([mail])).toMatchObject({ again: [] });
    expect(office.inbox(email)).toEqual([]);
    invoice.status = 'open';
    for (const _ of [1, 2]) await deliverMails([structuredClone(mail)]);
    expect(office.inbox(email)).toMatchObject([
      { text: expect.stringContaining(`https://invoice.stripe.com/i/acct_fake/${invoice.id}`) },
    ]);
  });

  test('confirm renewal: no e-mail for a first payment, a paid renewal or an ending subscription', async () => {
    const { bank, box, stub, asked, attempt } = await unconfirmed();
    const first = { ...asked, id: 'evt_first', data: { object: { ...asked.data.object } } };
    (first.data.object as Stripe.Invoice).id = attempt.invoiceId ?? '';
    expect(attempt.invoiceId).toMatch(/^in_/);
    await deliver('funnel-webhooks', await queued(first));
    const subscription = bank.state.subscriptions[attempt.charge?.subscriptionId ?? ''];
    if (!subscription) throw new Error('no subscription');
    subscription.status = 'active';
    await deliver('funnel-webhooks', await queued({ ...asked, id: 'evt_paid' }));
    subscription.status = 'past_due';
    await stub.cancelSubscription(attempt.id);
    await deliver('funnel-webhooks', await queued({ ...asked, id: 'evt_ends' }));
    await settle(stub);
    expect(box.of('confirm_payment')).toEqual([]);
  });
});
