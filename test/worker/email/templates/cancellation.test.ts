import { expect, test } from 'vitest';
import { cancellation } from '../../../../worker/email/templates/cancellation.ts';
import { about, desk, week } from '../template-context.ts';

test('the receipt tells when it was asked for, and what ends when', () => {
  const { paragraphs } = cancellation.write(desk('en'), { ...about, ends: week });
  expect(paragraphs).toEqual([
    'We received your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'It stays active until November 27, 2026 and then ends.',
    'It does not renew, and nothing more is charged.',
  ]);
});

test('without a known end it promises none', () => {
  expect(cancellation.write(desk('en'), { ...about, ends: null }).paragraphs).toHaveLength(2);
});
