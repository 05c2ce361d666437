import { expect, test } from 'vitest';
import { withdrawal } from '../../../../worker/email/templates/withdrawal.ts';
import { about, desk } from '../template-context.ts';

test('the receipt tells when it came, and the sum that goes back', () => {
  const { paragraphs } = withdrawal.write(desk('en'), {
    ...about,
    back: 699,
    claimed: false,
  });
  expect(paragraphs[0]).toContain('withdrawal on November 20, 2026: Monthly plan, 7-day intro.');
  expect(paragraphs[1]).toContain('We return $6.99');
});

test('a claim under the guarantee is called by its name', () => {
  const letter = withdrawal.write(desk('en'), { ...about, back: 4698, claimed: true });
  expect(letter.subject).toBe('Your money back');
  expect(letter.paragraphs[0]).toContain('You claimed our guarantee on November 20, 2026');
  expect(letter.paragraphs.join(' ')).not.toContain('withdrawal');
});
