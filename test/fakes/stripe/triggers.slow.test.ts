import { afterAll, expect, test } from 'vitest';
import { serveFake } from '../serve-fake.ts';
import { createStripe } from './server.ts';
import { stripeCli, trigger } from './stripe-cli.ts';

const run = `
  charge.dispute.closed charge.dispute.created charge.dispute.updated charge.failed charge.refunded
  charge.succeeded
  coupon.created customer.created customer.updated
  customer.subscription.created customer.subscription.deleted customer.subscription.paused
  customer.subscription.trial_will_end customer.subscription.updated
  payment_intent.canceled payment_intent.created payment_intent.payment_failed
  payment_intent.processing payment_intent.requires_action payment_intent.succeeded
  payment_method.attached price.created price.updated product.created product.updated
  setup_intent.created setup_intent.requires_action setup_intent.setup_failed
  setup_intent.succeeded
  subscription.payment_failed subscription.payment_succeeded`
  .trim()
  .split(/\s+/);

/** Why other fixtures are left out, by the beginning of their names. */
const leftOut: Record<string, string> = {
  'account.': 'The account has no connected accounts.',
  'balance.': 'The Worker reads balance transactions, and never the balance.',
  'billing_portal.': 'Buyers manage their plan on our own pages.',
  'cash_balance.': 'Bank transfers are not offered.',
  'charge.captured': 'Payments are captured at once.',
  'charge.refund.': 'A refund is never changed.',
  'checkout.': 'The checkout is our own page.',
  'coupon.deleted': 'Coupons are never deleted.',
  'coupon.updated': 'Coupons are never changed.',
  'credit_note.': 'Money goes back by refund.',
  'customer.deleted': 'Customers are never deleted.',
  'customer.discount.': "Needs a customer's `coupon`, which the version in use refuses.",
  'customer.source.': 'Sources were replaced by payment methods.',
  'customer_cash_balance_transaction.': 'Bank transfers are not offered.',
  'identity.': 'Nobody is identified by Stripe.',
  invoice: 'All invoices are of subscriptions; theirs are in `subscription.payment_…`.',
  issuing: 'No cards are issued.',
  'payment_intent.amount_capturable_updated': 'Payments are captured at once.',
  'payment_intent.partially_funded': 'Bank transfers are not offered.',
  'payment_link.': 'The checkout is our own page.',
  'payment_method.detached': 'Cards are replaced, and never detached.',
  'payment_method.updated': 'Cards are replaced, and never changed.',
  'payout.': 'Payouts are automatic; the Worker only reads them.',
  'plan.': 'Plans were replaced by prices.',
  'product.deleted': 'Products are never deleted.',
  'promotion_code.': 'Buyers enter codes on our page, which become coupons.',
  'quote.': 'There are no quotes.',
  'reporting.': 'Figures come from our own ledger.',
  'setup_intent.canceled': 'An unanswered setup intent is left alone.',
  'subscription_schedule.':
    'Needs `iterations` of phases, which the version in use refuses, or a test clock.',
  'tax_rate.': 'Stripe Tax calculates the tax.',
  'test_helpers.': "The fake's clock is set by tests and by the page of the fake bank.",
  'topup.': 'Nothing is added to the balance.',
  'transfer.': 'The account has no connected accounts.',
  'v1.billing.': 'Nothing is billed by usage.',
};

/** Names of fixtures whose event has another name. */
const eventOf: Record<string, string> = {
  'subscription.payment_failed': 'invoice.payment_failed',
  'subscription.payment_succeeded': 'invoice.payment_succeeded',
};

const fake = createStripe();
const { port, close } = await serveFake('https://api.stripe.com', fake.fetch);
afterAll(close);

/** A third outside the full run, because each starts the command. */
const tried = run.filter((_, at) => process.env.FULL === '1' || at % 3 === 0);

test.for(tried)('stripe trigger %s', async (fixture) => {
  const before = Object.keys(fake.state.events).length;
  await trigger(fixture, port);
  const events = Object.values(fake.state.events).slice(before);
  expect(events.map(({ type }) => type)).toContain(eventOf[fixture] ?? fixture);
});

test("stripe trigger: each of the command's fixtures runs, or is left out for a reason", async () => {
  const help = await stripeCli('trigger', '--help');
  const known = [...help.matchAll(/^ {2}([a-z0-9_]+(?:\.[a-z0-9_]+)+)$/gm)].map(([, name]) => name);
  const reasonOf = (name: string) => Object.keys(leftOut).find((start) => name.startsWith(start));
  const rest = known.filter((name) => name && !run.includes(name));
  expect(rest.filter((name) => !reasonOf(name ?? ''))).toEqual([]);
  expect(run.filter((name) => !known.includes(name) || reasonOf(name))).toEqual([]);
  expect(
    Object.keys(leftOut).filter((start) => !rest.some((name) => name?.startsWith(start))),
  ).toEqual([]);
});
