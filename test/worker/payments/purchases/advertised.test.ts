import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { PurchaseStorage } from '../../../../worker/payments/purchase-storage.ts';
import { buy, buyer, openBank, quietly } from '../payments-fixture.ts';

quietly();

const trace = { user: { google_client_id: '1.2' } };

const traceOf = (stub: ReturnType<typeof buyer>['stub'], attempt: string) =>
  runInDurableObject(stub, (_, state) =>
    new PurchaseStorage(state.storage.kv).adClickData(attempt),
  );

test('conversion: ad data is deleted when nothing was bought', async () => {
  openBank();
  const { stub, purchase } = buyer({ adClickData: trace, nonce: 'pm_card_visa_chargeDeclined' });
  const { id, state } = await buy(stub, purchase);
  expect([state, await traceOf(stub, id)]).toEqual(['declined', undefined]);
});

test('conversion: the consent can change during a challenge', async () => {
  openBank();
  const { stub, purchase } = buyer({ adClickData: trace, nonce: 'pm_card_authenticationRequired' });
  const { id } = await buy(stub, purchase);
  expect(await traceOf(stub, id)).toEqual(trace);
  await stub.buy({ ...purchase, adClickData: null });
  expect(await traceOf(stub, id)).toBeUndefined();
});
