import type { Matter, Relation } from '../../worker/analytics/rules/event-schema.ts';
import { readSlice } from '../runtime/storage/state-storage.ts';
import { mergeSlice } from '../runtime/storage/update-slice.ts';

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

/** Ignores anything but an answer of the question; any text is a `name`, kept with the number. Whether it was an answer. */
export function setAnswer(question: string, answer: string): boolean {
  const answers: readonly string[] = questions[question as Question] ?? [];
  const known = answers.includes(answer);
  if (known) mergeSlice('answers', Object.fromEntries(answers.map((one) => [one, one === answer])));
  if (question === 'name') mergeSlice('map', { name: answer.trim() });
  return known;
}
