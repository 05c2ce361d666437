import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { approved } from '../../../fakes/test-nonces.ts';
import { startPurchase } from '../payments-fixture.ts';
import { down, lateSharing, paymentOf } from './sharing-fixture.ts';

test('end of sharing: a plan bought again revives nothing, and a late notice ends nothing new', async () => {
  const one = await lateSharing('stripe');
  await one.cut(down);
  await one.stub.refund(paymentOf(one), null, 'all');
  await one.runAlarm();
  one.wait(1000);
  const again = await startPurchase(one.stub, { ...one.purchase, nonce: approved.stripe });
  await one.runAlarm();
  expect(await one.stub.result(again)).toMatchObject({ state: 'active' });
  one.wait(1000);
  expect(await one.shared.view()).toMatchObject({ state: 'not_shared', position: null });
  const next = await one.share();
  await one.cut(env.INVITATIONS);
  for (const _again of [1, 2]) await one.runAlarm();
  expect(await one.shared.view()).toMatchObject({ state: 'not_shared' });
  expect(await next.view()).toMatchObject({ state: 'accepted', position: { latitude: 52.52 } });
  expect(await one.endings()).toHaveLength(1);
});
