import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import { releaseUnusedIntros } from '../../../worker/payments/intro-limit.ts';
import type { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import { attempt } from './attempt-fixture.ts';

const broken = {
  prepare: () => {
    throw new TypeError('D1 is down');
  },
} as unknown as Env['DB'];

test('intro: a failed release is logged as a fault of D1, not of the gateway, and tried again', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const deleteIntroReservation = vi.fn();
  const declined = attempt({ id: 'a1', state: 'declined' });
  const storage = { introReservations: () => ['a1'], attempt: () => declined };
  const ledger = { ...storage, deleteIntroReservation } as unknown as PurchaseStorage;
  expect(await releaseUnusedIntros(ledger, { ...env, DB: broken })).toBe(false);
  expect(deleteIntroReservation).not.toHaveBeenCalled();
  expect(JSON.parse(warn.mock.calls[0]?.[0])).toMatchObject({
    event: 'binding_unavailable',
    binding: 'DB',
    attempt: 'a1',
  });
});
