import { expect, test } from 'vitest';
import { CommandError } from '../../../scripts/command-error.ts';
import { Unconfirmed } from '../../../scripts/operations/admin-client.ts';
import { refund } from '../../../scripts/operations/refund.ts';
import { world } from './world.ts';

const wanted = { amount: 500, reason: 'asked by mail', key: 'k' };
const body = { payment_id: 'pi', ...wanted };

test('it says what was given back', async () => {
  const { context, asked, said } = world({ refunded: 500 });
  await refund('pi', wanted, context);
  expect([asked, said]).toEqual([[['/refunds', body]], ['5.00 given back of pi']]);
});

test('a lost reply: the very same command again, twice, later and later', async () => {
  const lost = new Unconfirmed('lost');
  const { context, asked, waits } = world(lost, lost, { refunded: 500 });
  await refund('pi', wanted, context);
  expect(asked).toEqual([
    ['/refunds', body],
    ['/refunds', body],
    ['/refunds', body],
  ]);
  expect(waits).toEqual([1000, 4000]);
});

test('when nobody knows, it says how to go on', async () => {
  const lost = new Unconfirmed('The site did not answer.');
  const { context, said } = world(lost, lost, lost);
  await expect(refund('pi', wanted, context)).rejects.toThrow(
    'The site did not answer.\nNobody knows whether it happened. Repeat the command with --key k',
  );
  expect(said).toEqual([]);
});

test('a no is not tried again', async () => {
  const { context, asked } = world(new CommandError('Not so much is left of this payment.'));
  await expect(refund('pi', wanted, context)).rejects.toThrow(CommandError);
  expect(asked).toHaveLength(1);
});
