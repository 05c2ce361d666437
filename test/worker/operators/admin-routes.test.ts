import { beforeEach, expect, test } from 'vitest';
import { listen } from '../payments/payments-fixture.ts';
import { operate } from '../payments/webhooks/admin-client.ts';

beforeEach(() => void listen());

test('admin: a body over 64 KB is refused', async () => {
  expect(await operate('/refunds', { reason: 'x'.repeat(70_000) })).toMatchObject({
    status: 413,
    errors: { code: 'too_large' },
  });
});
