import { expect, test } from 'vitest';
import {
  countedRows,
  durationText,
} from '../../../../../worker/console/operations/rules/operations.ts';

test('console operations: events of a kind are counted by hour, the most frequent first', () => {
  const hours: Record<string, number>[] = [
    { 'log|warn|queue_failed': 2, 'csp|evil.example|script-src': 9 },
    { 'log|error|dead_letters_stored': 1, 'log|warn|queue_failed': 1, request: 5 },
  ];
  expect(countedRows(hours, 'log')).toEqual([
    { parts: ['warn', 'queue_failed'], series: [2, 1], total: 3 },
    { parts: ['error', 'dead_letters_stored'], series: [0, 1], total: 1 },
  ]);
  expect(countedRows(hours, 'csp')).toMatchObject([{ parts: ['evil.example', 'script-src'] }]);
  const tied = countedRows([{ 'log|warn|b': 1, 'log|info|z': 1, 'log|warn|a': 1 }], 'log');
  expect(tied.map(({ parts }) => parts.join())).toEqual(['info,z', 'warn,a', 'warn,b']);
  expect(countedRows([], 'log')).toEqual([]);
});

test.each([
  [0, 'under a minute'],
  [60_000, '1 minute'],
  [7_300_000, '2 hours'],
  [90_000_000, '1 day'],
])('console operations: %d ms are displayed as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
