import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { storeFees } from '../../../../worker/payments/ledger/fee-table.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { auditOf, operate } from '../../payments/webhooks/admin-client.ts';
import { buyAndProject, stubUnreliableStripe } from '../../payments/webhooks/webhook-fixture.ts';
import { asRole, open, signIn } from '../console-client.ts';
import { text } from '../page-text.ts';

test('console money: an open dispute shows its deadline, and its evidence only to roles with access to money', async () => {
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
      disputes: [
        {
          ...dispute,
          reason: 'fraudulent',
          dueAt: Date.UTC(2026, 11, 1, 12),
          openedAt: 0,
          state: 'open' as const,
        },
      ],
      warnings: [],
    },
  ];
  const report = { version: 'v1', checks: [], splits: [], totals: null, risks };
  await env.MONITOR.getByName('monitor').watch({ ...report, minute });
  const pageAs = async (role: 'viewer' | 'operator') =>
    (await open('/console/money', await asRole(role))).text();
  expect(await pageAs('operator')).toContain('/console/money/evidence/pi_%3Cb%3E');
  const html = await pageAs('viewer');
  expect(html).toContain('2026-12-01 12:00');
  expect(html).toContain('pi_&lt;b&gt;');
  expect(html).not.toContain('/console/money/evidence');
  expect((await open('/console/money/evidence/pi_1', await asRole('viewer'))).status).toBe(403);
});

test('console money: a fraud warning names its payment, with the refund for roles that may make it', async () => {
  stubUnreliableStripe();
  const { account, paymentId } = await buyAndProject();
  const risks = [
    {
      gateway: 'stripe' as const,
      disputes: [],
      warnings: [{ id: 'issfr_1', paymentId, at: Date.now() }],
    },
  ];
  const report = { version: 'v1', checks: [], splits: [], totals: null, risks };
  const minute = Math.floor(Date.now() / 60_000) + 2;
  await env.MONITOR.getByName('monitor').watch({ ...report, minute });
  const refund = `/console/people/${account}/refund/${paymentId}`;
  for (const [role, isOffered] of [
    ['operator', true],
    ['viewer', false],
  ] as const) {
    const html = await (await open('/console/money', await asRole(role))).text();
    expect(html).toContain('Fraud warnings');
    expect([role, html.includes(paymentId), html.includes(refund)]).toEqual([
      role,
      true,
      isOffered,
    ]);
  }
});

test('console money: days, deadlines and refunds are in the operator’s time zone', async () => {
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
  const pageIn = async (path: string, zone: string) => {
    const headers = { cookie: `${cookie}; __Host-console-time-zone=${zone}` };
    return (await open(path, { headers })).text();
  };
  const csv = (zone: string) => pageIn('/console/money.csv?period=30d', zone);
  const there = await csv('Europe/Berlin');
  expect(there).toContain('"day, Europe/Berlin"');
  expect(there).toContain('"2026-10-01","USD","stripe","50.00"');
  expect(there).toContain('"2026-09-30","USD","stripe","1.00"');
  expect(await csv('UTC')).toContain('"2026-09-30","USD","stripe","21.00"');
  const html = await pageIn('/console/money?period=90d', 'Europe/Berlin');
  expect(html).toContain('By day, Europe/Berlin');
  expect(html).toContain('$50.00');
  vi.useRealTimers();
});

test('console money: evidence downloads as a file for the bank, and the audit names the operator', async () => {
  stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  const headers = await signIn();
  const file = await open(`/console/money/evidence/${paymentId}`, { headers });
  expect(file.headers.get('content-disposition')).toContain(`evidence-${paymentId}.txt`);
  expect(await file.text()).toContain(`Payment ${paymentId} at stripe`);
  expect(await auditOf(paymentId)).toMatchObject([
    { action: 'evidence', operator: 'you@localhost' },
  ]);
  expect((await open('/console/money/evidence/pi_unknown', { headers })).status).toBe(404);
});

test('console money: provider fees are shown, with the number of days they cover', async () => {
  const day = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);
  await storeFees(env.DB, 'stripe', day, { USD: 100, EUR: 7 });
  await storeFees(env.DB, 'stripe', day, { USD: 146, EUR: 7 });
  const html = await (await open('/console/money', await asRole('viewer'))).text();
  const table = html.slice(html.indexOf('Provider fees')).split('</table>')[0] ?? '';
  const words = table.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toMatch(/Stripe (\$1\.46, €0\.07|€0\.07, \$1\.46) 1 of 30/);
});

test('console money: each refund shows its command’s reason to roles with access to people', async () => {
  const { fake } = stubUnreliableStripe();
  const { account, paymentId, stub } = await buyAndProject();
  const email = `ann-${account}@example.com`;
  await env.DB.prepare(
    `INSERT INTO accounts (id, email, email_key, name, visitor_id, landing_type, country, language, arm, created_at)
     VALUES (?1, ?2, ?2, '', 'v', '', 'US', 'en', 'fullPrice', 1)`,
  )
    .bind(account, email)
    .run();
  const refund = (amount: number, reason: string) =>
    operate('/refunds', { payment_id: paymentId, amount, reason, key: crypto.randomUUID() });
  expect(await refund(1000, 'did not <b>work</b>')).toMatchObject({ status: 200 });
  expect(await refund(500, 'no smartphone')).toMatchObject({ status: 200 });
  expect(await refund(9900, 'a refused one')).toMatchObject({ status: 422 });
  await fake.fetch('https://api.stripe.com/v1/refunds', {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_fake' },
    body: new URLSearchParams({ payment_intent: paymentId, amount: '700' }),
  });
  await stub.sync();
  const own = async () => {
    const page = await open('/console/money', await asRole('operator'));
    const [, list = ''] = (await page.text()).split('<h2>Refunds and their reasons</h2>');
    const lines = list.split('<li>').filter((line) => line.includes(paymentId));
    return lines.map((line) =>
      text(line.split('</li>')[0] ?? '')
        .trim()
        .slice(17),
    );
  };
  await vi.waitFor(async () => expect(await own()).toHaveLength(3), pollTimeout);
  expect((await own()).sort()).toEqual([
    `${email} Not made by an operator: made at the provider, or returned because nothing was sold. Stripe $7.00`,
    `${email} did not &lt;b&gt;work&lt;/b&gt; Stripe $10.00`,
    `${email} no smartphone Stripe $5.00`,
  ]);
  const page = await open('/console/money', await asRole('marketer'));
  expect(await page.text()).not.toContain(paymentId);
});
