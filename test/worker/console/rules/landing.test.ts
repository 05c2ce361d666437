import { expect, test } from 'vitest';
import { flowsFrom, landingsOf } from '../../../../worker/console/rules/landing.ts';

const flows = new Map([
  ['default', ['one_pager', 'signup']],
  ['short', ['one_pager', 'success']],
  ['people', ['one_pager_all', 'signup']],
]);

test('landings: those of the flows that were visited, once and sorted; unknown flows have none', () => {
  expect(landingsOf(['people', 'default', 'short', 'gone'], flows)).toEqual([
    ...['one_pager', 'one_pager_all'],
  ]);
});

test('landings: a landing has the flows that begin with it', () => {
  expect(flowsFrom('one_pager', flows)).toEqual(['default', 'short']);
  expect(flowsFrom('signup', flows)).toEqual([]);
});
