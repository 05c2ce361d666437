import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buy, buyer } from './purchases/bank.ts';
import { books, emptyBooks, madeUp, statementOf } from './webhooks/books.ts';
import { anEvent, deliver, down } from './webhooks/event.ts';

vi.mock('../../worker/vendors/gateways.ts', () => madeUp);

const said = () =>
  (['info', 'warn', 'error'] as const).flatMap((level) =>
    vi.mocked(console[level]).mock.calls.map(([line]) => JSON.parse(line).event),
  );

beforeEach(() => {
  emptyBooks();
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(() => {});
  }
});
afterEach(() => void vi.restoreAllMocks());

/** A buyer whose gateway then takes a renewal that we have not heard of. */
async function renewed() {
  const { stub, purchase } = buyer();
  const { id: attempt } = await buy(stub, purchase);
  const payment = { id: `pi_2_${attempt}`, paymentId: `pi_2_${attempt}`, amount: 3999, at: 5 };
  statementOf(attempt).captures.push(payment);
  await vi.waitFor(async () =>
    expect(
      await env.DB.prepare('SELECT COUNT(*) AS n FROM ledger WHERE attempt = ?')
        .bind(attempt)
        .first('n'),
    ).toBe(1),
  );
  const rows = async () => (await stub.held())[0]?.rows.length;
  return { account: purchase.account, attempt, rows };
}

test.each(['account', 'attempt', 'subscriptionId', 'customerId', 'paymentId'] as const)(
  'an event that names its %s has everything read anew',
  async (name) => {
    const { account, attempt, rows } = await renewed();
    const names = {
      account,
      attempt,
      subscriptionId: `sub_${attempt}`,
      customerId: `cus_${account}`,
      paymentId: `pi_${attempt}`,
    };
    const event = anEvent({ [name]: names[name] });
    expect(await deliver('funnel-webhooks', [event])).toMatchObject({ again: [] });
    expect(await rows()).toBe(2);
  },
);

test('many events of one account in a batch read its gateway once', async () => {
  const { account } = await renewed();
  books.read = 0;
  await deliver('funnel-webhooks', Array.from({ length: 12 }, () => anEvent({ account })));
  expect(books.read).toBe(1);
});

test('an event of another product is tried three times, then dropped with one line of log', async () => {
  const foreign = anEvent({ customerId: 'cus_of_a_shop' });
  expect(await deliver('funnel-webhooks', [foreign], 1)).toEqual({ again: ['m0'], delay: 30 });
  expect(await deliver('funnel-webhooks', [foreign], 2)).toEqual({ again: ['m0'], delay: 60 });
  expect(said()).toEqual([]);
  expect(await deliver('funnel-webhooks', [foreign], 3)).toMatchObject({ again: [] });
  expect(said()).toEqual(['webhook_foreign']);
});

test('a silent gateway: its account’s events come again, the others are taken', async () => {
  const one = await renewed();
  books.down = true;
  const events = [anEvent({ account: one.account }), anEvent({ account: crypto.randomUUID() })];
  expect(await deliver('funnel-webhooks', events, 9)).toMatchObject({ again: ['m0'] });
  expect(said()).toContain('sync_failed');
  books.down = false;
  expect(await deliver('funnel-webhooks', events, 10)).toMatchObject({ again: [] });
  expect(await one.rows()).toBe(2);
});

test('with the database down, what names our account is taken, the rest comes again', async () => {
  const { account, attempt, rows } = await renewed();
  const events = [anEvent({ account }), anEvent({ subscriptionId: `sub_${attempt}` })];
  const { again } = await deliver('funnel-webhooks', events, 9, { DB: down });
  expect(again).toEqual(['m1']);
  expect(await rows()).toBe(2);
});

test('what is no event is dropped, and said', async () => {
  const broken = [null, 'evt', { ...anEvent(), gateway: 'paypal' }, { id: 'evt' }];
  expect(await deliver('funnel-webhooks', broken)).toMatchObject({ again: [] });
  expect(said()).toEqual(broken.map(() => 'webhook_malformed'));
});
