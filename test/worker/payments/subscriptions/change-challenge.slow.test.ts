import { beforeEach, expect, test } from 'vitest';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { challengedUpgrade } from '../faults/challenged-upgrade.ts';
import { play } from '../faults/fault-matrix.ts';

beforeEach(() => shortenTimers(1000));

test.each([
  ['stripe', 'authenticated', 'done'],
  ['stripe', 'failed', 'declined'],
  ['stripe', 'silent', 'declined'],
  ['stripe', 'left', 'done'],
  ['braintree', 'authenticated', 'done'],
  ['braintree', 'failed', 'declined'],
  ['braintree', 'silent', 'declined'],
  ['braintree', 'left', 'declined'],
  ['braintree', 'swapped', 'declined'],
] as const)(
  'plan change: %s: an upgrade that the bank challenges, %s: %s',
  async (gateway, how, state) => {
    await play(gateway, async (scene) => {
      const made = await challengedUpgrade(scene, how);
      expect([made.state, made.hasAnswered]).toEqual([state, how !== 'silent']);
      expect(made.challenge).toBeNull();
    });
  },
);
