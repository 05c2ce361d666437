import type { Attempt } from './attempt.ts';
import { about, type Notice } from './email-notices.ts';

export function debitNotice(attempt: Attempt, now: number): Notice {
  const data = { ...about(attempt, now), amount: attempt.amount };
  return { id: `debit_processing:${attempt.id}`, template: 'debit_processing', until: null, data };
}

export function debitFailedNotice(attempt: Attempt, now: number): Notice {
  const data = { ...about(attempt, now), amount: attempt.amount };
  return { id: `debit_failed:${attempt.id}`, template: 'debit_failed', until: null, data };
}
