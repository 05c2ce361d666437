import { answerTo } from '../stores/answers.ts';

/** How long the position should be shared, derived from the answer about what matters; undefined without one. */
export function durationFor(matter = answerTo('matters')): 'hour' | 'day' | undefined {
  if (!matter) return undefined;
  return matter === 'outing' || matter === 'everyday' ? 'day' : 'hour';
}
