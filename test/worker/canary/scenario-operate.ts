import { env } from 'cloudflare:test';
import { signatureOf } from '../../fakes/stripe/webhooks.ts';
import { verify } from '../accounts/account-fixture.ts';
import { jobsDone } from './scenario-pay.ts';
import { address, e164, name, pan } from './test-identities.ts';
import type { TracedSite } from './traced-site.ts';
import type { Visitor } from './visitor.ts';

async function operate(site: TracedSite, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${site.adminToken}`,
    'content-type': 'application/json',
    'x-operator': 'ann',
  };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await site.send(`/admin${path}`, { headers, ...init });
  return (await response.json()) as { data: never };
}

/** Operators view everything, refund, end, release and replay. */
export async function runOperatorCommands(visitor: Visitor, site: TracedSite): Promise<void> {
  const account = visitor.account();
  await operate(site, '/check');
  await operate(site, '/gateways');
  await operate(site, '/renewals');
  const paid = await env.DB.prepare(
    `SELECT payment_id, attempt_id AS attempt FROM ledger
     WHERE account_id = ? AND kind = 'capture' ORDER BY occurred_at LIMIT 1`,
  )
    .bind(account)
    .first<{ payment_id: string; attempt: string }>();
  const { payment_id = '', attempt = '' } = paid ?? {};
  const reason = 'asked by phone';
  await operate(site, '/refunds', { payment_id, amount: 100, reason, key: 'r1' });
  await operate(site, `/subscriptions/${attempt}/end`, { reason });
  await operate(site, `/requesters/${account}/release`, { reason });
  const [letter] = (await operate(site, '/dead-letters')).data as { id: string }[];
  await operate(site, '/dead-letters', { id: letter?.id, key: 'd1' });
}

/** Stripe's webhooks contain complete objects, as in reality. */
export async function receiveWebhooks(site: TracedSite): Promise<void> {
  const person = { email: address, phone: e164, name: name.written[0] };
  const object = {
    id: 'ch_canary',
    object: 'charge',
    receipt_email: address,
    billing_details: person,
    payment_method_details: { card: { number: pan } },
    metadata: person,
  };
  const event = { id: 'evt_canary', object: 'event', type: 'charge.refunded', data: { object } };
  const body = JSON.stringify(event);
  const { STRIPE_WEBHOOK_SECRET: secret = '' } = env;
  for (const key of [secret, 'whsec_not_theirs']) {
    const signature = await signatureOf(body, key, Math.floor(Date.now() / 1000));
    const headers = { 'stripe-signature': signature };
    await site.send('/webhooks/stripe', { method: 'POST', headers, body });
  }
  await site.send('/webhooks/braintree', { method: 'POST', body: `bt_payload=${address}` });
}

/** With an outside product API, the forwarded calls are checked too. */
export async function callProductApi(site: TracedSite): Promise<void> {
  const post = (path: string, body: object) =>
    site.send(
      `/api/v1${path}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-portal' },
        body: JSON.stringify(body),
      },
      { PRODUCT_API_URL: 'https://portal.test/api' },
    );
  await post('/phone-number-info', { phone: e164, country: 'DE' });
  await post('/signup', { email: address, name: address });
  await post('/users/me/subscriptions/polling/monthly_eur', { payment_method_nonce: pan });
}

/** The owner exports their data, and deletes the account. */
export async function exportAndDelete(visitor: Visitor, site: TracedSite): Promise<void> {
  await verify(visitor.account());
  await jobsDone(visitor, site);
  await visitor.get('/users/me/export');
  await visitor.call('DELETE', '/users/me');
  await jobsDone(visitor, site);
}
