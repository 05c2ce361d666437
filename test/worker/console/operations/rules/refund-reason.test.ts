import { expect, test } from 'vitest';
import {
  decisionOf,
  otherReason,
} from '../../../../../worker/console/operations/rules/refund-reason.ts';
import type { PaymentId } from '../../../../../worker/platform/types.ts';

const payment_id = 'pi_1' as PaymentId;
const refund = (refund_key: string | null, id = 'refund:re_1') => ({ id, payment_id, refund_key });
const audited = (key: string, result: string) => ({
  action: 'refund',
  target: 'pi_1',
  details: JSON.stringify({ amount: 1, key }),
  result,
});

test.each([
  ['the command with its key', [audited('a', 'refunded 1 USD'), audited('b', 'refunded 1 USD')], 1],
  ['the repetition that was answered', [audited('b', 'begun'), audited('b', 'refunded 1 USD')], 1],
  ['a command whose answer was lost', [audited('b', 'gateway_ambiguous')], 0],
  ['no command that was refused', [audited('b', 'refund_refused')], null],
  ['no command with another key', [audited('a', 'refunded 1 USD')], null],
  ['no command with broken details', [{ ...audited('b', 'refunded 1'), details: '{' }], null],
  ['no other action', [{ ...audited('b', 'refunded 1'), action: 'receipt' }], null],
])('refund reason: a refund belongs to %s', (_what, audit, at) => {
  expect(decisionOf(refund('pi_1:b'), audit)).toBe(at === null ? undefined : audit[at]);
});

test('refund reason: a void, which has no key, belongs to the command that was answered', () => {
  const audit = [audited('a', 'gateway_ambiguous'), audited('b', 'refunded 1 USD')];
  expect(decisionOf(refund(null, 'refund:void:pi_1'), audit)).toBe(audit[1]);
  expect(decisionOf(refund(null), audit)).toBeUndefined();
});

test('refund reason: a refund without a command is a withdrawal, or was made elsewhere', () => {
  expect(otherReason('withdrawal:pi_1')).toContain('The buyer withdrew');
  for (const key of [null, 'an order id'])
    expect(otherReason(key)).toContain('Not made by an operator');
});
