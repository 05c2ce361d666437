import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { type Evidence, evidenceText } from '../../../worker/operators/rules/evidence-text.ts';
import { minor } from '../../../worker/platform/types.ts';
import { runAlarm, stubStripe } from '../payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  signedInHeaders,
  stubOf,
} from '../payments/purchase-helpers.ts';
import { operate } from '../payments/webhooks/admin-client.ts';
import { request } from '../request.ts';

test('dispute evidence: displayed texts, consent, country, access, e-mails and money of one payment', async () => {
  stubStripe();
  const headers = await signedInHeaders('buyer@example.com');
  const germany = { ...headers, 'cf-ipcountry': 'DE' };
  await pollUntilDone(await pollingId('monthly_eur', card(), germany));
  const stub = stubOf(headers);
  await runAlarm(stub);
  const [owned] = await stub.ownedSubscriptions();
  const { attempt } = owned?.subscription ?? {};
  const payment = owned?.rows[0]?.paymentId ?? '';
  const insert = (id: string, at: number) =>
    env.DB.prepare('INSERT INTO sent_emails (id, sent_at) VALUES (?, ?)').bind(id, at).run();
  await insert(`purchase_confirmation:${attempt}`, 1_790_000_000_000);
  await insert(`cancellation:${attempt}:5`, 1_790_000_100_000);
  await insert(`purchase_confirmation:${crypto.randomUUID()}`, 1_790_000_200_000);
  const link = await request('/api/v1/users/me/deeplink', { method: 'POST', headers });
  const { data: app } = (await link.json()) as { data: { short_deeplink: string } };
  await request('/api/v1/deeplink/redeem', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: app.short_deeplink.split('#')[1] }),
  });
  await stub.refund(owned?.rows[0]?.paymentId as never, minor(100), 'k');

  const { status, data } = await operate(`/payments/${payment}/evidence`);
  expect(status).toBe(200);
  const found = data as Evidence;
  expect(found).toMatchObject({
    payment,
    gateway: 'stripe',
    attempt,
    currency: 'EUR',
    buyer: { email: 'buyer@example.com', country: expect.any(String), verifiedAt: null },
    terms: { market: 'euro', text: expect.stringContaining('39.99') },
    payments: [
      { kind: 'capture', amount: 3999, paymentId: payment },
      { kind: 'refund', amount: 100 },
    ],
    emails: [{ what: 'purchase_confirmation', at: 1_790_000_000_000 }, { what: 'cancellation' }],
    access: [{ what: 'link used: app' }],
  });
  const text = evidenceText(found, (amount, currency) => `${amount / 100} ${currency}`);
  for (const words of [
    payment,
    'buyer@example.com',
    'market euro',
    '39.99 EUR',
    'link used: app',
    'purchase_confirmation',
  ])
    expect(text).toContain(words);
  expect(text).toContain(found.terms?.text.split('\n')[0]);
  const name = 'Eve\n\nMoney of this order\u2028  refunded';
  const buyer = found.buyer && { ...found.buyer, name };
  expect(evidenceText({ ...found, buyer }, String).split(/[\n\u2028]/)).toContain(
    '  Name and e-mail: Eve Money of this order   refunded <buyer@example.com>',
  );
});

test('dispute evidence: an unknown payment has none', async () => {
  expect(await operate('/payments/pi_nobody/evidence')).toMatchObject({
    status: 404,
    errors: { code: 'payment_unknown' },
  });
});
