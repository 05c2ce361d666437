import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeFees } from '../../../worker/payments/fee-table.ts';
import { listen } from '../payments/payments-fixture.ts';
import { buyOne, openLine } from '../payments/webhook-fixture.ts';
import { auditOf } from '../payments/webhooks/admin-client.ts';
import { asRole, open, signIn } from './console-client.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('console money: an open dispute has its deadline, and its evidence only for who handles money', async () => {
  const minute = Math.floor(Date.now() / 60_000) + 1;
  const dispute = {
    id: 'dp_1',
    paymentId: 'pi_<b>' as never,
    amount: 3999 as never,
    currency: 'USD',
  };
  const risks = [
    {
      gateway: 'stripe' as const,
      readAt: Date.now(),
      disputes: [{ ...dispute, reason: 'fraudulent', dueAt: Date.UTC(2026, 11, 1, 12) }],
      warnings: [],
    },
  ];
  const report = { version: 'v1', checks: [], splits: [], totals: null, risks };
  await env.MONITOR.getByName('monitor').watch({ ...report, minute });
  const seen = async (role: 'viewer' | 'operator') =>
    (await open('/console/money', await asRole(role))).text();
  expect(await seen('operator')).toContain('/console/money/evidence/pi_%3Cb%3E');
  const html = await seen('viewer');
  expect(html).toContain('2026-12-01 12:00');
  expect(html).toContain('pi_&lt;b&gt;');
  expect(html).not.toContain('/console/money/evidence');
  expect((await open('/console/money/evidence/pi_1', await asRole('viewer'))).status).toBe(403);
});

test('console money: days, deadlines and refunds are in the time zone of the person', async () => {
  const berlin = (text: string) => Date.parse(`${text}+02:00`);
  vi.useFakeTimers({ toFake: ['Date'], now: berlin('2026-10-20T12:00') });
  const row = (time: string, amount: number) =>
    env.ANALYTICS.prepare(
      `INSERT INTO payments VALUES (?, 'capture', 'stripe', 'main', 'monthly_usd', 'USD', '', 1, 1, ?, 0)`,
    ).bind(berlin(time), amount);
  await env.ANALYTICS.batch([
    row('2026-09-30T23:00', 100),
    row('2026-10-01T00:00', 2000),
    row('2026-10-01T23:00', 3000),
  ]);
  const { cookie } = await signIn();
  const seen = async (path: string, zone: string) => {
    const headers = { cookie: `${cookie}; __Host-console-time-zone=${zone}` };
    return (await open(path, { headers })).text();
  };
  const csv = (zone: string) => seen('/console/money.csv?period=30d', zone);
  const there = await csv('Europe/Berlin');
  expect(there).toContain('"day, Europe/Berlin"');
  expect(there).toContain('"2026-10-01","USD","stripe","5000"');
  expect(there).toContain('"2026-09-30","USD","stripe","100"');
  expect(await csv('UTC')).toContain('"2026-09-30","USD","stripe","2100"');
  const html = await seen('/console/money?period=90d', 'Europe/Berlin');
  expect(html).toContain('By day, Europe/Berlin');
  expect(html).toContain('$50.00');
  vi.useRealTimers();
});

test('console money: evidence is a file for the bank, and the audit says who took it', async () => {
  openLine();
  const { paymentId } = await buyOne();
  const headers = await signIn();
  const file = await open(`/console/money/evidence/${paymentId}`, { headers });
  expect(file.headers.get('content-disposition')).toContain(`evidence-${paymentId}.txt`);
  expect(await file.text()).toContain(`Payment ${paymentId} at stripe`);
  expect(await auditOf(paymentId)).toMatchObject([
    { action: 'evidence', operator: 'you@localhost' },
  ]);
  expect((await open('/console/money/evidence/pi_unknown', { headers })).status).toBe(404);
});

test('console money: the fees that a provider named, and for how many days', async () => {
  const day = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);
  await storeFees(env.DB, 'stripe', day, { USD: 100, EUR: 7 });
  await storeFees(env.DB, 'stripe', day, { USD: 146, EUR: 7 });
  const html = await (await open('/console/money', await asRole('viewer'))).text();
  const table = html.slice(html.indexOf('Fees of the providers')).split('</table>')[0] ?? '';
  const words = table.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toMatch(/stripe (\$1\.46, €0\.07|€0\.07, \$1\.46) 1 of 30/);
});

test('console money: a refund has its reason and its person, for who may see people', async () => {
  const now = Date.now() - 1000;
  await env.DB.batch([
    env.DB.prepare('DELETE FROM audit'),
    env.DB.prepare(
      `INSERT INTO ledger (id, attempt_id, account_id, gateway, kind, amount, currency, payment_id, arm, occurred_at)
       VALUES ('refund:r1', 'at', 'acct', 'stripe', 'refund', 500, 'USD', 'pi_back', '', ?)`,
    ).bind(now),
    env.DB.prepare(
      `INSERT INTO audit VALUES ('1', 'ann', 'refund', 'pi_back', '{}', 'did not <b>work</b>', ?1, 'refunded 500 USD'),
       ('2', 'bob', 'refund', 'pi_back', '{}', 'twice', ?1 + 1, 'payment_unknown'),
       ('3', 'bob', 'refund', 'pi_back', '{}', 'the rest', ?1 + 900000, 'refunded 100 USD')`,
    ).bind(now - 20),
  ]);
  const html = await (await open('/console/money', await asRole('operator'))).text();
  expect(html).toContain('did not &lt;b&gt;work&lt;/b&gt;');
  expect(html).not.toMatch(/twice|the rest/);
  expect(html).toContain('/console/people/acct');
  expect(await (await open('/console/money', await asRole('marketer'))).text()).not.toContain(
    'pi_back',
  );
});
