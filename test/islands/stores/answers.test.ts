import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ local: new Map() });
});
const store = () => import('../../../islands/stores/answers.ts');

it('answers: a question has one answer, the last', async () => {
  const { answerTo, setAnswer } = await store();
  setAnswer('who', 'child');
  setAnswer('matters', 'outing');
  setAnswer('who', 'friend');
  expect([answerTo('who'), answerTo('matters')]).toEqual(['friend', 'outing']);
});

it.each([
  ['who', 'outing'],
  ['who', '+1 212 555 0100'],
  ['phone', 'child'],
])('answers: the question %s does not accept %s', async (question, answer) => {
  const { answerTo, setAnswer } = await store();
  setAnswer(question, answer);
  expect([answerTo('who'), answerTo('matters')]).toEqual([undefined, undefined]);
});
