import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import builtIn from '../../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import type { RaisedSubscription } from '../../../worker/payments/subscriptions/raise-page.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { deliver, stubMailVendor } from '../email/email-fixture.ts';
import { recordEmails, runAlarm } from '../payments/payments-fixture.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { buyAndProject, stubUnreliableStripe } from '../payments/webhooks/webhook-fixture.ts';

/** The catalog with a second version of the monthly plan, which costs 49.99. */
const catalog = structuredClone(builtIn) as typeof builtIn & {
  products: { monthly: { versions: Record<string, object> } };
};
const { prices } = builtIn.products.monthly.versions['1'];
Object.assign(catalog.products.quarterly, {
  versions: { ...builtIn.products.quarterly.versions, 2: builtIn.products.quarterly.versions['1'] },
});
Object.assign(catalog.products.monthly, { countries: { CH: 1 } });
catalog.products.monthly.versions['2'] = { prices: { ...prices, USD: 49.99 } };

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM subscriptions').run();
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
  await env.FUNNEL.put('config.json', JSON.stringify({ experiment: 'e', variants }));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {}, aliases: {} }));
  await env.FUNNEL.put('catalog.json', JSON.stringify(catalog));
});
afterEach(async () => {
  for (const name of ['config.json', 'flows.json', 'catalog.json']) await env.FUNNEL.delete(name);
});

const from = Date.now() + 40 * 24 * 60 * 60_000;
const raise = async (change: object = {}) => {
  const body = { version: 'monthly@2', from, after: '', start: true, reason: 'r', ...change };
  const { status, data } = await operate('/price-raises', body);
  return { status, ...(data as { rows: RaisedSubscription[]; next: string | null }) };
};

/** A buyer with a mailbox and a country. */
async function subscriber(country: string) {
  const { id, email } = await newAccount();
  await env.DB.prepare('UPDATE accounts SET country = ? WHERE id = ?').bind(country, id).run();
  const bought = await buyAndProject({ account: id as AccountId, email });
  const stored = () =>
    env.DB.prepare('SELECT plan FROM subscriptions WHERE account_id = ?').bind(id).first('plan');
  await vi.waitFor(async () => expect(await stored()).toBe('monthly_usd'), pollTimeout);
  return { ...bought, email, emails: await recordEmails(bought.stub) };
}

test('raise: a list changes nothing, the start tells each owner once, and the same list is the report', async () => {
  stubUnreliableStripe();
  const [there, here] = [await subscriber('AU'), await subscriber('DE')];
  // There the first version is sold, and prices stay.
  for (const other of ['CH', 'KR']) await subscriber(other);
  const listed = await raise({ start: false });
  expect(listed.rows).toHaveLength(2);
  expect(listed.rows.find(({ account }) => account === there.account)).toMatchObject({
    ...{ country: 'AU', plan: 'monthly_usd', before: 3999, after: 4999 },
    ...{ state: 'new', needsYes: false },
  });
  expect(await auditOf('monthly@2')).toEqual([]);
  for (let again = 0; again < 2; again += 1) {
    const { rows, next } = await raise();
    expect([next, rows.map(({ state }) => state)]).toEqual([null, ['announced', 'announced']]);
  }
  expect(await auditOf('monthly@2')).toMatchObject([
    { operator: 'ADMIN_TOKEN (ann)', action: 'raise', reason: 'r', result: '2 announced' },
    { result: '2 announced' },
  ]);
  for (const [{ stub, emails, email, attempt }, shows] of [
    [there, 'https://funnel.test/cancel'],
    [here, 'https://funnel.test/manage'],
  ] as const) {
    await runAlarm(stub);
    const notices = emails.ofTemplate('price_raise');
    expect(notices).toHaveLength(1);
    const vendor = stubMailVendor();
    expect(await deliver(notices)).toMatchObject({ ackAll: true });
    expect(await deliver(notices)).toMatchObject({ ackAll: true });
    const [mail, ...more] = vendor.inbox(email);
    expect([mail?.text.includes(shows), more]).toEqual([true, []]);
    expect(mail?.text).toMatch(/\$49\.99/);
    const [owned] = await stub.ownedSubscriptions();
    expect(owned?.subscription).toMatchObject({ attempt, raise: { state: 'announced' } });
    expect(owned?.subscription.raise?.noticedAt).not.toBeNull();
  }
});

test('raise: a notice to an invalid address is a case for an operator', async () => {
  stubUnreliableStripe();
  const { stub, emails, account, attempt } = await subscriber('AU');
  await raise();
  await runAlarm(stub);
  await env.DB.prepare("UPDATE accounts SET email = 'nobody' WHERE id = ?").bind(account).run();
  stubMailVendor();
  vi.spyOn(console, 'error').mockReturnValue();
  await deliver(emails.ofTemplate('price_raise'));
  const { rows } = await raise({ start: false });
  expect(rows.find((row) => row.attempt === attempt)).toMatchObject({ state: 'new' });
  const stored = () =>
    env.DB.prepare('SELECT reason FROM dead_letters WHERE message_id = ?')
      .bind(attempt)
      .first('reason');
  await vi.waitFor(
    async () => expect(await stored()).toBe('price notice not delivered'),
    pollTimeout,
  );
});

test.each([
  ['a version that does not exist', { version: 'monthly@3' }],
  ['a version that is no longer sold', { version: 'quarterly@1' }],
  ['an unknown product', { version: 'daily' }],
  ['a product that does not renew', { version: 'guide_1799' }],
  ['no date', { from: 'soon' }],
])('raise: %s is refused', async (_, change) => {
  expect((await raise(change)).status).toBe(400);
});
