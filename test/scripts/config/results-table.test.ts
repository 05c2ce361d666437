import { expect, test } from 'vitest';
import { type ArmFacts, tableOf } from '../../../scripts/config/results-table.ts';

const variants = [
  { key: 'fullPrice', weight: 50, flow: 'default' },
  { key: 'intro/7d', weight: 50, flow: 'default' },
];

const facts = (arm: string, visitors: number, purchases: number, more: Partial<ArmFacts> = {}) => ({
  arm,
  visitors,
  signUps: 2 * purchases,
  purchases,
  revenue: {},
  ...more,
});

const cells = (line: string | undefined) => line?.split(/ {2,}/).map((cell) => cell.trim());

test('a row an arm, with interval, p against the first, and revenue', () => {
  const [title, head, ...rows] = tableOf('prices', variants, [
    facts('intro/7d', 99, 12, { revenue: { USD: 8388, EUR: -5 } }),
    facts('fullPrice', 83, 5),
  ]);
  expect(title).toBe('Experiment prices; p against fullPrice');
  expect(cells(head)?.slice(0, 3)).toEqual(['arm', 'weight', 'visitors']);
  expect(rows.map(cells)).toEqual([
    ['fullPrice', '50 %', '83', '10', '5', '6.02 %', '2.60 % – 13.34 %', '–', '–'],
    [
      'intro/7d',
      '50 %',
      '99',
      '24',
      '12',
      '12.12 %',
      '7.07 % – 20.00 %',
      '0.1592',
      '-0.05 EUR, 83.88 USD',
    ],
  ]);
});

test('arms without visitors, and arms that are gone, have their rows', () => {
  const rows = tableOf('prices', variants, [facts('older', 10, 1)])
    .slice(2)
    .map(cells);
  expect(rows).toEqual([
    ['fullPrice', '50 %', '0', '0', '0', '–', '–', '–', '–'],
    ['intro/7d', '50 %', '0', '0', '0', '–', '–', '–', '–'],
    ['older', 'gone', '10', '2', '1', '10.00 %', '1.79 % – 40.42 %', '–', '–'],
  ]);
});

test('an alarm when visitors do not fall as the weights say', () => {
  const alarm = (one: number, two: number) =>
    tableOf('prices', variants, [facts('fullPrice', one, 0), facts('intro/7d', two, 0)])
      .join(' ')
      .includes('ALARM');
  // Chi-squared 10.83 is p = 0.001.
  expect(alarm(5000, 5320)).toBe(false);
  expect(alarm(5000, 5340)).toBe(true);
  expect(alarm(11, 0)).toBe(true);
  expect(alarm(0, 0)).toBe(false);
});
