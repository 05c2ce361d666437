import { expect, test } from 'vitest';
import {
  flowLabel,
  steppedScreens,
} from '../../../../../worker/console/documents/rules/flow-form.ts';

const screens = ['a', 'b', 'c'];

test.each([
  ['up 1', ['b', 'a', 'c']],
  ['down 1', ['a', 'c', 'b']],
  ['remove 0', ['b', 'c']],
  ['add', ['a', 'b', 'c', 'd']],
  ['up 0', screens],
  ['down 2', screens],
  ['remove 7', screens],
  ['remove 3', screens],
  ['up 3', screens],
  ['up -1', screens],
  ['dance 1', screens],
  ['', screens],
])('console flows: the form input %j makes %j', (step, after) => {
  expect(steppedScreens({ screens, step, added: 'd', place: '' })).toEqual(after);
});

test.each([
  ['questions', '', 1],
  ['features', '', 3],
  ['one_pager_ai', '', 1],
  ['upsell_guide', '', 4],
  ['payment_declined', '', 5],
  ['questions', 'first', 0],
  ['questions', 'signup', 3],
  ['questions', 'nowhere', 1],
])('console flows: %s is added at the place %j, which is %i', (added, place, at) => {
  const flow = ['one_pager', 'searching', 'signup', 'checkout_v3_tr', 'success'];
  expect(steppedScreens({ screens: flow, step: 'add', added, place }).indexOf(added)).toBe(at);
});

test('console flows: a flow that is the beginning of another shows its last screen', () => {
  const short = { name: 'short', screens };
  const long = { name: 'long', screens: [...screens, 'd'] };
  expect(flowLabel(short, [short, long])).toBe('short: a … c');
  expect(flowLabel(long, [short, long])).toBe('long: a … d');
});
