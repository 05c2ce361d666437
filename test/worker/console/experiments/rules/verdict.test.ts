import { expect, test } from 'vitest';
import { type Metric, resultsOf } from '../../../../../worker/console/experiments/rules/results.ts';
import {
  experimentVerdict,
  judgedMetrics,
  type Plan,
  timeLeft,
} from '../../../../../worker/console/experiments/rules/verdict.ts';
import type { ArmFacts } from '../../../../../worker/experiments/results-table.ts';

const perDay = 1000;

/** @param price of every order, minor units */
function facts(arm: string, visitors: number, purchases: number, price = 1000): ArmFacts {
  const money = price > 0 && { USD: purchases * price };
  return {
    ...{ arm, visitors, signUps: 3 * purchases, purchases, attempts: purchases, declined: 0 },
    ...{
      failed: 0,
      returned: 0,
      crashed: 0,
      revenue: money || {},
      squares: { USD: purchases * price ** 2 },
    },
  };
}

const plan = (metric: Metric, ...secondary: Metric[]): Plan => ({ metric, secondary });

function verdict(all: ArmFacts[], chosen: Plan, more: { isOver?: boolean; perDay?: number } = {}) {
  const variants = all.map(({ arm }) => ({ key: arm, weight: 100 / all.length }));
  const results = resultsOf(variants, all, null, judgedMetrics(chosen));
  const progress = { visitorsPerDay: more.perDay ?? perDay, isOver: more.isOver ?? false };
  const found = experimentVerdict(results, chosen, progress);
  return found ? `${found.state}: ${found.text}` : '';
}

const control = facts('control', 10_000, 400);

test('verdict of an experiment: one sentence says what differs, by which metric it is undecided, and how long', () => {
  expect(verdict([control, facts('b', 10_000, 430, 850)], plan('revenue', 'purchases'))).toMatch(
    /^Running, no winner yet: “b” sells more plans but earns less per visitor than “control” so far; undecided by revenue per visitor, about \w+ weeks left\.$/,
  );
  expect(verdict([control, facts('b', 10_000, 410)], plan('purchases', 'sign_ups'))).toMatch(
    /: “b” gets more sign-ups and sells more plans than “control” so far; undecided by purchases per visitor, about \w+ weeks left\.$/,
  );
  expect(verdict([control, facts('b', 10_000, 390)], plan('sign_ups'))).toMatch(
    /: “b” gets fewer sign-ups than “control” so far; undecided by sign-ups per visitor, /,
  );
});

test('verdict of an experiment: a decided one says by how much', () => {
  const won = verdict([control, facts('b', 10_000, 700)], plan('purchases'));
  expect(won).toMatch(
    /^Running: “b” sells more plans than “control”; decided by purchases per visitor, [\d.]+% to [\d.]+% more\.$/,
  );
  const lost = verdict([control, facts('b', 10_000, 200)], plan('purchases'), { isOver: true });
  expect(lost).toMatch(/^Ended: “b” sells fewer plans than “control”; decided .*% less\.$/);
  const many = [control, facts('b', 10_000, 200), facts('c', 10_000, 800)];
  expect(verdict(many, plan('purchases'))).toContain(
    '“c” sells more plans than “control”; decided',
  );
});

test('verdict of an experiment: only metrics that were chosen decide, and only they are mentioned', () => {
  const cheap = facts('b', 10_000, 700, 1);
  expect(verdict([control, cheap], plan('purchases'))).not.toContain('earns');
  expect(verdict([control, cheap], plan('sign_ups'))).not.toContain('plans');
  expect(verdict([control, cheap], plan('revenue'))).toContain('earns less per visitor');
});

test('verdict of an experiment: few events, other shares and a missing rate are said', () => {
  expect(verdict([facts('control', 500, 40), facts('b', 500, 12)], plan('purchases'))).toBe(
    'Running, no winner yet: Too few purchases to compare purchases per visitor: “b” has 12 of the 30 that a comparison needs, less than a week left.',
  );
  expect(verdict([facts('control', 5, 0), facts('b', 5, 0)], plan('sign_ups'))).toBe(
    'Running, no winner yet: Too few sign-ups to compare sign-ups per visitor: “b” has 0 of the 30 that a comparison needs.'.replace(
      '“b”',
      '“control”',
    ),
  );
  expect(verdict([control, facts('b', 5000, 200)], plan('purchases'))).toBe(
    'Running: Do not trust purchases per visitor of this test: the numbers of visitors do not match the shares.',
  );
  const euros = { ...facts('b', 10_000, 400), revenue: { EUR: 400_000 } };
  expect(verdict([control, euros], plan('revenue'))).toContain('without exchange rates');
  expect(verdict([control], plan('revenue'))).toBe('');
});

test('verdict of an experiment: its end, no visitors, and enough of them are said', () => {
  const alike = [control, facts('b', 10_000, 405)];
  expect(verdict(alike, plan('purchases'), { isOver: true })).toMatch(
    /^Ended, no winner: .* than “control”; it ended undecided by purchases per visitor\.$/,
  );
  expect(verdict(alike, plan('purchases'), { perDay: 0 })).toContain('nobody visited it');
  const large = [facts('control', 1e6, 40_000), facts('b', 1e6, 40_010)];
  expect(verdict(large, plan('purchases'))).toContain(
    'no difference of a tenth is left to be found',
  );
});

test('verdict of an experiment: more metrics and more variants take longer', () => {
  const two = [control, facts('b', 10_000, 402)];
  const weeks = (all: ArmFacts[], chosen: Plan) => {
    const variants = all.map(({ arm }) => ({ key: arm, weight: 1 }));
    const [, b] = resultsOf(variants, all, null, judgedMetrics(chosen)).variants;
    return b?.comparisons.find(({ name }) => name === 'Purchases per visitor')?.growth ?? 0;
  };
  const one = weeks(two, plan('purchases'));
  expect(weeks(two, plan('purchases', 'sign_ups', 'purchases'))).toBeGreaterThan(one);
  expect(weeks([...two, facts('c', 10_000, 402)], plan('purchases'))).toBeGreaterThan(one);
});

test('verdict of an experiment: the primary metric counts once', () =>
  expect(judgedMetrics(plan('revenue', 'purchases', 'revenue'))).toEqual(['revenue', 'purchases']));

test.each([
  [1, 'less than a week left'],
  [7, 'about one week left'],
  [20, 'about three weeks left'],
  [7 * 20, 'about 20 weeks left'],
  [1000, 'more than a year left'],
  [Number.POSITIVE_INFINITY, 'more than a year left'],
])('verdict of an experiment: %s days are %s', (days, text) => expect(timeLeft(days)).toBe(text));
