import type braintree from 'braintree';
import { afterAll, expect, test } from 'vitest';
import { fakeTarget } from './harness.ts';

const target = await fakeTarget();
afterAll(() => target.close());

const day = 24 * 60 * 60_000;

async function sold(amount: string): Promise<string> {
  const { transaction } = await target.sdk.transaction.sale({
    amount,
    paymentMethodNonce: 'fake-valid-nonce',
    orderId: crypto.randomUUID(),
  });
  return transaction.id;
}

/** The official client requests ids, then pages of them. */
function settledBetween(from: number, to: number): Promise<braintree.Transaction[]> {
  return new Promise((resolve, reject) => {
    const found: braintree.Transaction[] = [];
    const stream = target.sdk.transaction.search((search) => {
      search.settledAt().between(new Date(from), new Date(to));
    });
    stream.on('data', (one: braintree.Transaction) => found.push(one));
    stream.on('end', () => resolve(found));
    stream.on('error', reject);
  });
}

test('Braintree fake: the search by settlement finds sales and refunds after a day', async () => {
  const first = await sold('6.99');
  const second = await sold('7.99');
  const now = Date.now();
  expect(await settledBetween(now - day, now + day)).toEqual([]);
  await target.pass(day + 60_000);
  const { transaction: refund } = await target.sdk.transaction.refund(first, '1.00');
  const settled = await settledBetween(now + day - 60_000, now + day + 60_000);
  expect(settled.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
    [`${first} settled`, `${second} settled`].sort(),
  );
  await target.pass(day + 60_000);
  const later = await settledBetween(now + day + 60_000, now + 3 * day);
  expect(later.map(({ id, type, amount }) => [id, type, amount])).toEqual([
    [refund.id, 'credit', '1.00'],
  ]);
  expect(later[0]?.refundedTransactionId).toBe(first);
});

test('Braintree fake: a search with one result, or with more than a page, is read completely', async () => {
  const begun = Date.now();
  const ids: string[] = [];
  for (let at = 0; at < 52; at += 1) ids.push(await sold(`${at + 10}.00`));
  await target.pass(day + 60_000);
  const offset = 2 * (day + 60_000);
  const all = await settledBetween(begun + offset, begun + offset + 2 * day);
  expect(all.map(({ id }) => id).sort()).toEqual(ids.sort());
});

/** The official client requests page by page. */
function openDisputes(): Promise<braintree.Dispute[]> {
  return new Promise((resolve, reject) => {
    const found: braintree.Dispute[] = [];
    const stream = target.sdk.dispute.search((search) => {
      search.status().in(['open' as never]);
      // Missing in its types: developer.paypal.com/braintree/docs/reference/request/dispute/search
      const own = search as unknown as { receivedDate(): { min(day: string): void } };
      own.receivedDate().min('2020-01-01');
    });
    stream.on('data', (one: braintree.Dispute) => found.push(one));
    stream.on('end', () => resolve(found));
    stream.on('error', reject);
  });
}

test('Braintree fake: the search of disputes finds open ones, with their reply date', async () => {
  const [kept, lost] = [await sold('8.99'), await sold('7.99')];
  for (const id of [kept, lost]) target.fake?.dispute(id);
  target.fake?.lose(lost);
  const found = await openDisputes();
  const [one] = found;
  expect(found).toHaveLength(1);
  expect(one).toMatchObject({ status: 'open', amountDisputed: '8.99', currencyIsoCode: 'USD' });
  expect(one?.transaction.id).toBe(kept);
  expect(String(one?.replyByDate)).toMatch(/^\d{4}-\d\d-\d\d$/);
});
