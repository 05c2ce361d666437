import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { cardLinkCode } from '../../../../worker/accounts/card-link.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { post, request } from '../../request.ts';
import { stubStripe } from '../payments-fixture.ts';
import { card, pollingId, pollUntilDone, signedInHeaders } from '../purchase-helpers.ts';

type Headers = Record<string, string>;

async function owner(plans = ['monthly_usd']) {
  const fake = stubStripe();
  const headers = await signedInHeaders();
  for (const plan of plans) await pollUntilDone(await pollingId(plan, card(), headers));
  return { fake, headers };
}

const cardBody = (nonce: string) => ({
  key: crypto.randomUUID() as string,
  gateway: 'stripe',
  payment_method_nonce: nonce,
  agreed_amount: 0,
});

const read = async (response: Response) => (await response.json()) as Record<string, unknown>;
const shown = async (headers: Headers) => read(await request('/api/v1/users/me/card', { headers }));

/** Polls until the update is final or challenged. */
async function answered(key: string, headers: Headers) {
  const path = `/api/v1/users/me/card/updates/${key}`;
  return vi.waitFor(async () => {
    const response = await request(path, { headers });
    expect(response.status).toBe(200);
    return read(response);
  }, pollTimeout);
}

test('card API: the next charge is the first of the plan and its extras', async () => {
  const { headers } = await owner(['quarterly_usd', 'upsell_monthly_799_usd']);
  const month = Date.now() + 32 * 24 * 3600 * 1000;
  const { data } = (await shown(headers)) as { data: { next: { amount: number; at: number } } };
  expect(data).toMatchObject({
    renewal: { price: 5999, period: 'quarter' },
    next: { amount: 799 },
  });
  expect(data.next.at).toBeLessThan(month);
});

test('card API: the card is shown by brand and last digits, and replaced', async () => {
  const { headers } = await owner();
  expect(await shown(headers)).toMatchObject({
    data: {
      gateway: 'stripe',
      card: { brand: 'Visa', last4: '4242' },
      due: 0,
      currency: 'USD',
      renewal: { price: 3999, period: 'month' },
      next: { amount: 3999 },
      overdue: false,
    },
  });
  const body = cardBody('pm_card_mastercard');
  const sent = await post('/users/me/card', body, headers);
  expect(await read(sent)).toEqual({ data: { polling_result_id: body.key } });
  expect(await answered(body.key, headers)).toMatchObject({
    data: { result_data: { status: 'active', payment: 'none' } },
  });
  expect(await shown(headers)).toMatchObject({ data: { card: { last4: '4444' } } });
});

test('card API: an e-mailed link replaces the card, and opens nothing else', async () => {
  const { headers } = await owner();
  const [, claims = ''] = (headers.authorization ?? '').split('.');
  const { sub: id, epoch } = JSON.parse(atob(claims));
  const code = await cardLinkCode(env.DB, { id, epoch }, [crypto.randomUUID()], Date.now());
  const { data } = await read(await post('/card-link/open', { code }));
  const { card_token } = data as { card_token: string };
  const linked = { authorization: `Bearer ${card_token}` };
  expect(await shown(linked)).toMatchObject({ data: { card: { last4: '4242' } } });
  const settings = await request('/api/v1/users/me/payments-settings', { headers: linked });
  expect(settings.status).toBe(200);
  const body = cardBody('pm_card_mastercard');
  expect((await post('/users/me/card', body, linked)).status).toBe(200);
  await answered(body.key, linked);
  expect(await shown(headers)).toMatchObject({ data: { card: { last4: '4444' } } });
  expect((await request('/api/v1/users/me/purchases', { headers: linked })).status).toBe(401);
});

test('card API: a decline does not reveal details that would help a thief', async () => {
  const { headers } = await owner();
  const body = cardBody('pm_card_chargeDeclinedStolenCard');
  expect((await post('/users/me/card', body, headers)).status).toBe(200);
  expect(await answered(body.key, headers)).toMatchObject({
    errors: { code: 'card_declined' },
    decline_code: 'generic_decline',
    processor_response: '',
  });
});

test('card API: a challenge has the secret that the browser needs', async () => {
  const { headers } = await owner();
  const body = cardBody('pm_card_authenticationRequired');
  await post('/users/me/card', body, headers);
  expect(await answered(body.key, headers)).toMatchObject({
    data: {
      result_data: {
        status: 'requires_action',
        payment_intent_id: expect.stringMatching(/^seti_/),
        payment_intent_secret: expect.stringMatching(/_secret_/),
      },
    },
  });
});

test('card API: without a session, a plan or a known key the call is refused', async () => {
  stubStripe();
  expect((await request('/api/v1/users/me/card')).status).toBe(401);
  const headers = await signedInHeaders();
  expect(await shown(headers)).toEqual({ data: { card: null, gateway: null } });
  const refused = await post('/users/me/card', cardBody('pm_card_visa'), headers);
  expect([refused.status, await read(refused)]).toMatchObject([
    409,
    { errors: { code: 'card_not_needed' } },
  ]);
  const unknown = `/api/v1/users/me/card/updates/${crypto.randomUUID()}`;
  expect((await request(unknown, { headers })).status).toBe(404);
});
