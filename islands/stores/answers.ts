import type { Matter, Relation } from '../../worker/analytics/rules/event-schema.ts';
import { readSlice, writeSlice } from '../runtime/storage/state-storage.ts';

export const questions = {
  who: ['child', 'parent', 'partner', 'friend'] satisfies Relation[],
  matters: ['arrival', 'meeting', 'outing', 'everyday'] satisfies Matter[],
} as const;

export type Question = keyof typeof questions;
export type ChosenAnswer = Relation | Matter;

/** The chosen answer of a question. Each answer is a separate field, so that HTML can refer to it. */
export function answerTo(question: Question): string | undefined {
  const stored = readSlice('answers');
  return questions[question].find((answer) => stored[answer]);
}

/** Ignores anything but an answer of the question. */
export function setAnswer(question: string, answer: string): void {
  const answers: readonly string[] | undefined = questions[question as Question];
  if (!answers?.includes(answer)) return;
  const others = Object.fromEntries(answers.map((one) => [one, one === answer]));
  writeSlice('answers', { ...readSlice('answers'), ...others });
}

/** How long the position should be shared, derived from the answer about what matters; undefined without one. */
export function durationFor(matter = answerTo('matters')): 'hour' | 'day' | undefined {
  if (!matter) return undefined;
  return matter === 'outing' || matter === 'everyday' ? 'day' : 'hour';
}
