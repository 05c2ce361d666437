import { expect, test } from 'vitest';
import { refund } from '../../../../worker/email/templates/refund.ts';
import { about, desk } from '../template-context.ts';

test('the receipt tells sum, day and what it was for', () => {
  const { paragraphs } = refund.write(desk('en'), { ...about, back: 500 });
  expect(paragraphs[0]).toBe('We returned $5.00 on November 20, 2026: Monthly plan, 7-day intro.');
});
