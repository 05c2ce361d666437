import { expect, test } from 'vitest';
import { blockedPublications } from '../../../../../worker/console/publishing/rules/pending-publications.ts';
import type { Documents } from '../../../../../worker/documents/document-set.ts';

const from = (before: string, after: string) => ({
  ...{ id: after, operator: 'ada', due_at: 1 },
  changes: JSON.stringify([{ path: ['text'], before, after }]),
});
const errorsIn = ({ text }: Documents) => (text === 'wrong' ? ['not valid'] : []);
const blocked = (...rows: ReturnType<typeof from>[]) =>
  blockedPublications({ text: 'a' }, rows, errorsIn);

test('pending publications: each is judged on the documents that those before it leave', () => {
  expect(blocked(from('a', 'b'), from('b', 'c'))).toEqual([]);
  const late = from('a', 'c');
  expect(blocked(from('a', 'b'), late)).toEqual([
    { row: late, problem: 'text changed in the meantime' },
  ]);
});

test('pending publications: one with a single error is blocked, and leaves the documents as they were', () => {
  const wrong = from('a', 'wrong');
  expect(blocked(wrong, from('a', 'b'))).toEqual([{ row: wrong, problem: 'not valid' }]);
});
