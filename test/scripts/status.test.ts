import { describe, expect, test } from 'vitest';
import { printPeople } from '../../scripts/ops/find.ts';
import { status } from '../../scripts/status.ts';
import { opsContext } from './ops-context.ts';

describe('find', () => {
  test('prints payments with their refundable remainder, the timeline, and the displayed terms', async () => {
    const person = {
      account: 'a1',
      email: 'ann@example.com',
      payments: [{ id: 'pi_1', attempt: 'x', captured: '$39.99', remaining: '$29.99' }],
      shown: [{ attempt: 'x', words: 'Then $39.99 every month\nPay $39.99' }],
      timeline: [{ at: 0, text: 'Signed up' }],
    };
    const { context, requests, printed } = opsContext([person]);
    await printPeople('ann@example.com', context);
    expect(requests).toEqual([['/people', { text: 'ann@example.com' }]]);
    expect(printed).toEqual([
      'Account a1, ann@example.com',
      'payment  attempt    paid  left to refund',
      'pi_1           x  $39.99          $29.99',
      '1970-01-01T00:00:00.000Z  Signed up',
      'Shown beside the button of x:',
      '  Then $39.99 every month',
      '  Pay $39.99',
    ]);
  });

  test('prints a message when nothing is found', async () => {
    const { context, printed } = opsContext([]);
    await printPeople('nobody', context);
    expect(printed).toEqual(['No account was found.']);
  });
});

describe('status', () => {
  const parts = [{ name: 'KV', detail: 'version 1' }];
  const figures = [
    { name: 'Visitors', value: 1200, before: 1000 },
    { name: 'Revenue', currency: 'JPY', value: 6000, before: 0 },
  ];
  const good = {
    health: { build: 'b1', payments: [], secrets: [] },
    parts,
    refused: '',
    dead_letters: 0,
    alarms: 0,
    figures,
  };
  const stripe = { gateway: 'stripe', open: true, unread: null };

  test('prints the last full hour beside the same hour of yesterday', async () => {
    const { context, printed } = opsContext(good, [stripe]);
    expect(await status(context.site, context.print)).toBe(true);
    expect(printed).toEqual([
      'Build b1. Everything works.',
      'Gateways that accept payments: stripe.',
      '          last full hour  same hour yesterday',
      'Visitors           1,200                1,000',
      'Revenue           ¥6,000                   ¥0',
    ]);
  });

  test('lists every problem', async () => {
    const bad = {
      ...good,
      health: { build: 'b1', payments: ['no key'], secrets: [] },
      parts: [{ name: 'KV', detail: null }],
      refused: 'config.json: broken',
      dead_letters: 2,
      alarms: 1,
      figures: null,
    };
    const { context, printed } = opsContext(bad, [{ ...stripe, open: false, unread: 'no answer' }]);
    expect(await status(context.site, context.print)).toBe(false);
    expect(printed).toEqual([
      'Build b1. Something is wrong:',
      '  no key',
      '  The newest configuration is invalid, so visitors get an earlier one: config.json: broken',
      '  KV does not respond',
      '  stripe: no answer',
      '  Alarms: 1; see npm run ops -- alarms',
      '  Dead letters: 2; see npm run ops -- dead-letters',
      'Gateways that accept payments: none.',
      'The counts could not be read.',
    ]);
  });
});
