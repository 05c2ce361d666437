import { expect, it } from 'vitest';
import { isCaseDue } from '../../../../worker/payments/purchase/operator-case.ts';
import { dayMs } from '../../../../worker/platform/durations.ts';

const openedAt = 5 * dayMs;

it('operator case: opens a day after the click, and again a day after the last case', () => {
  const attempt = { state: 'sent', openedAt, caseAt: null } as const;
  expect(isCaseDue(attempt, openedAt + dayMs - 1)).toBe(false);
  expect(isCaseDue(attempt, openedAt + dayMs)).toBe(true);
  const reported = { ...attempt, caseAt: openedAt + dayMs };
  expect(isCaseDue(reported, openedAt + 2 * dayMs - 1)).toBe(false);
  expect(isCaseDue(reported, openedAt + 2 * dayMs)).toBe(true);
});

it('operator case: a debit may take 21 days before the day begins', () => {
  const debit = { state: 'processing', openedAt, caseAt: null } as const;
  expect(isCaseDue(debit, openedAt + 22 * dayMs - 1)).toBe(false);
  expect(isCaseDue(debit, openedAt + 22 * dayMs)).toBe(true);
  expect(isCaseDue({ ...debit, caseAt: openedAt + 22 * dayMs }, openedAt + 23 * dayMs)).toBe(true);
});
