import { afterEach, expect, test, vi } from 'vitest';
import { merchant } from './client-token.ts';
import { fakeTarget } from './harness.ts';
import { subjectOf, webhookOf } from './notifications.ts';

afterEach(() => vi.unstubAllGlobals());

test('Braintree fake: the official client verifies and parses its webhooks', async () => {
  const { sdk, fake, close } = await fakeTarget();
  const sold = await sdk.transaction.sale({
    amount: '8.99',
    paymentMethodNonce: 'fake-valid-nonce',
    options: { submitForSettlement: true },
  });
  const sandbox = { state: fake?.state } as Parameters<typeof subjectOf>[0];
  const dispute = {
    id: 'd',
    transaction: sold.transaction.id,
    amount: 899,
    status: 'open',
    createdAt: 0,
  };
  const at = Date.UTC(2026, 0, 1);
  const subject = subjectOf(sandbox, 'dispute_opened', dispute);
  const { bt_signature, bt_payload } = await webhookOf(merchant, 'dispute_opened', subject, at);
  const read = await sdk.webhookNotification.parse(bt_signature, bt_payload);
  expect(read).toMatchObject({
    kind: 'dispute_opened',
    dispute: { id: 'd', status: 'open', amountDisputed: '8.99' },
  });
  await close();
});

test('Braintree fake: the official client refuses another payload', async () => {
  const { sdk, close } = await fakeTarget();
  const { bt_signature, bt_payload } = await webhookOf(merchant, 'check', { check: true }, 0);
  const other = bt_payload.replace(/^./, 'A');
  await expect(sdk.webhookNotification.parse(bt_signature, other)).rejects.toMatchObject({
    type: 'invalidSignatureError',
  });
  await close();
});
