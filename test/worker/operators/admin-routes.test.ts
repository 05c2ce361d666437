import { beforeEach, expect, test } from 'vitest';
import { listen } from '../payments/payments-fixture.ts';
import { operate } from '../payments/webhooks/admin-client.ts';

beforeEach(() => void listen());

test('admin: every route answers the operator', async () => {
  for (const path of ['/check', '/dead-letters', '/gateways']) {
    expect([path, (await operate(path)).status]).toEqual([path, 200]);
  }
  for (const path of ['/refunds', '/dead-letters', '/subscriptions/nothing/end']) {
    expect([path, await operate(path, {})]).toMatchObject([
      path,
      { status: 400, errors: { code: 'malformed_body' } },
    ]);
  }
});

test('admin: a body over 64 KB is refused', async () => {
  expect(await operate('/refunds', { reason: 'x'.repeat(70_000) })).toMatchObject({
    status: 413,
    errors: { code: 'too_large' },
  });
});
