import { expect, test } from 'vitest';
import { isFinal } from '../../../../worker/payments/purchase/attempt.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { deliverToQueue } from '../../queue.ts';
import {
  awaitResult,
  buy,
  buyer,
  forgetIntros,
  runAlarm,
  startPurchase,
  stubGateways,
} from '../payments-fixture.ts';
import { challengeSavedCard } from '../subscriptions/change-helpers.ts';
import { gatewayEvent } from '../webhooks/webhook-fixture.ts';

type Fakes = ReturnType<typeof stubGateways>;

/** Somebody who has read the secret of a challenged payment confirms it from a browser with a card. */
async function tryCard({ stripe }: Fakes, { paymentId, secret }: AttemptAnswer, card: string) {
  const response = await stripe.fetch(
    `https://api.stripe.com/v1/payment_intents/${paymentId}/confirm`,
    {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_fake' },
      body: new URLSearchParams({ client_secret: secret ?? '', payment_method: card }),
    },
  );
  return response.status;
}

const capturedAmounts = (fakes: Fakes) => fakes.captured().map(({ amount }) => amount);

test('challenged payment: of a one-time product, no browser can confirm it with a card, and the answered challenge pays once', async () => {
  const fakes = stubGateways();
  const { stub, purchase } = buyer();
  await buy(stub, purchase);
  challengeSavedCard(fakes);
  const guide = { ...purchase, plan: 'guide_1799_usd', nonce: null };
  const pollingId = await startPurchase(stub, guide);
  const challenged = await awaitResult(stub, pollingId);
  expect(challenged.state).toBe('challenged');
  expect(await tryCard(fakes, challenged, 'pm_card_visa')).toBe(400);
  expect(capturedAmounts(fakes)).toEqual([3999]);
  fakes.stripe.challenge(challenged.paymentId ?? '', 'authenticated');
  await startPurchase(stub, { ...guide, paymentId: challenged.paymentId });
  await runAlarm(stub);
  expect((await stub.result(pollingId))?.state).toBe('active');
  expect(capturedAmounts(fakes)).toEqual([3999, 1799]);
});

test('challenged payment: each further card that is tried on a plan’s payment counts, and the first report of a failure ends it', async () => {
  await forgetIntros();
  const fakes = stubGateways();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const pollingId = await startPurchase(stub, purchase);
  const challenged = await awaitResult(stub, pollingId);
  const payment = challenged.paymentId;
  if (!payment) throw new Error('no payment');
  fakes.stripe.challenge(payment, 'failed');
  for (let card = 0; card < 3; card += 1)
    expect(await tryCard(fakes, challenged, 'pm_card_visa_chargeDeclined')).toBe(402);
  const type = 'payment_intent.payment_failed';
  const failed = ['evt_1', 'evt_2', 'evt_3', 'evt_4'].map((id) =>
    gatewayEvent({ id, type, account: purchase.account, paymentId: payment }),
  );
  // Neither a repeated event nor one of another kind or payment counts.
  const others = [
    gatewayEvent({ account: purchase.account, paymentId: payment }),
    gatewayEvent({ type, account: purchase.account, paymentId: paymentIdOf('pi_other') }),
  ];
  for (const events of [failed, [...failed, ...others]])
    expect((await deliverToQueue('funnel-webhooks', events)).again).toEqual([]);
  await runAlarm(stub);
  expect(isFinal((await stub.result(pollingId))?.state ?? 'open')).toBe(true);
  expect(await tryCard(fakes, challenged, 'pm_card_visa')).toBe(400);
  expect(capturedAmounts(fakes)).toEqual([]);
  // Four cards were tried, of five in an hour.
  const again = { ...purchase, nonce: 'pm_card_visa_chargeDeclined' };
  expect((await buy(stub, again)).state).toBe('declined');
  expect(await stub.buy(again)).toEqual({ kind: 'refused', refusal: 'too_many_declines' });
});
