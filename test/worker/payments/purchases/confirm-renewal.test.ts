import { env } from 'cloudflare:test';
import type Stripe from 'stripe';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMail } from '../../../fakes/mail/server.ts';
import { newAccount } from '../../accounts/account-fixture.ts';
import { deliver as deliverMails } from '../../email/email-fixture.ts';
import { buy, buyer, listen, openBank, postBox, settle } from '../payments-fixture.ts';
import { deliver, keepingQueue, postStripe, signed } from '../webhook-fixture.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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
