import { expect, test } from 'vitest';
import { funnelOf } from '../../../../../worker/console/overview/rules/funnel.ts';

const row = (screen: string, arrived: number, continued: number) => ({
  screen,
  arrived,
  continued,
  seconds: 2,
});
const plain = ['one_pager', 'searching', 'signup', 'checkout_v3_tr', 'success'];
const idsOf = (found: ReturnType<typeof funnelOf>) => found.steps.map(({ id }) => id);

test('funnel: steps are in the order of the flow that most visitors got, not by visits', () => {
  const rows = [row('signup', 50, 20), row('searching', 90, 50), row('one_pager', 100, 90)];
  expect(idsOf(funnelOf(rows, [], [plain]))).toEqual(['one_pager', 'searching', 'signup']);
  const early = ['signup', 'one_pager', 'searching'];
  expect(idsOf(funnelOf(rows, [], [early, plain]))).toEqual(early);
});

test('funnel: a step of another flow stands after the one that precedes it there', () => {
  const rows = [row('questions', 5, 4), row('features', 6, 5), row('one_pager', 100, 90)];
  const other = ['one_pager', 'features', 'questions', 'signup'];
  expect(idsOf(funnelOf(rows, [], [plain, other]))).toEqual(['one_pager', 'features', 'questions']);
});

test('funnel: screens that replace each other are one step, with each of them and the period before', () => {
  const rows = [row('one_pager', 60, 30), row('one_pager_all', 40, 30)];
  const before = [row('one_pager', 10, 4), row('one_pager_ai', 10, 2)];
  const { steps } = funnelOf(rows, before, [plain]);
  expect(steps).toMatchObject([
    { id: 'Landing page', arrived: 100, continued: 60, before: { arrived: 20, continued: 6 } },
  ]);
  expect(steps[0]?.screens).toMatchObject([
    { id: 'one_pager', arrived: 60, before: { arrived: 10, continued: 4 } },
    { id: 'one_pager_all', arrived: 40, before: null },
    // Nobody saw it since, but it is in the figures before.
    { id: 'one_pager_ai', arrived: 0, before: { arrived: 10, continued: 2 } },
  ]);
});

test('funnel: a screen that is alone now is compared with itself, not with the one that it replaced', () => {
  const before = [row('one_pager', 10, 4), row('one_pager_ai', 10, 2)];
  const { steps } = funnelOf([row('one_pager', 60, 30)], before, [plain]);
  expect(steps).toMatchObject([
    { id: 'one_pager', before: { arrived: 10, continued: 4 }, screens: [] },
  ]);
});

test('funnel: the worst step has the lowest rate, is no extra and has enough visits', () => {
  const rows = [
    row('one_pager', 100, 50),
    row('signup', 50, 20),
    row('checkout_v3_tr', 29, 1),
    row('upsell_an_private', 40, 2),
    row('success', 40, 0),
  ];
  const { steps } = funnelOf(rows, [], [plain]);
  expect(steps.filter(({ isWorst }) => isWorst).map(({ id }) => id)).toEqual(['signup']);
  expect(steps.filter(({ loses }) => !loses).map(({ id }) => id)).toEqual([
    'upsell_an_private',
    'success',
  ]);
  expect(funnelOf(rows.slice(0, 1), [], [plain]).steps[0]?.isWorst).toBe(false);
});

test('funnel: a screen of no step is listed beside it', () => {
  const { steps, others } = funnelOf([row('payment_declined', 7, 0)], [], [plain]);
  expect([steps, others.map(({ screen }) => screen)]).toEqual([[], ['payment_declined']]);
});
