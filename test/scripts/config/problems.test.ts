import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  InvalidDocument,
  readDocuments,
} from '../../../worker/experiments/rules/config-documents.ts';
import { problemsOf } from '../../../worker/experiments/rules/config-validation.ts';
import { arm, configText, flowsText } from './world.ts';

test('every error is told, with its path and reason', () => {
  const config = configText([arm('fullPrice', 50), arm('a/b/c', 40, 'gone')], {
    experiment: '<b>',
    offers: {},
  });
  const flows = flowsText({ short: ['one_pager', 'nowhere'] });
  const lines = problemsOf(config, flows).map(({ key, path }) => `${key} ${path}`);
  expect(lines).toEqual([
    'config.json experiment',
    'config.json variants.1.key',
    'config.json variants',
    'flows.json flows.short.1',
  ]);
});

test('a flow that is in neither document is told for each arm', () => {
  const config = configText([arm('a', 50, 'x'), arm('b', 50, 'y')]);
  expect(problemsOf(config, flowsText())).toEqual([
    { key: 'config.json', path: 'variants.0.flow', reason: 'no flow x' },
    { key: 'config.json', path: 'variants.1.flow', reason: 'no flow y' },
  ]);
});

test('a missing flow is told even beside wrong weights', () => {
  const paths = problemsOf(configText([arm('a', 99, 'x')]), flowsText()).map(({ path }) => path);
  expect(paths).toEqual(['variants', 'variants.0.flow']);
});

const sometimes = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: good as fc.Arbitrary<unknown> }, fc.jsonValue({ maxDepth: 1 }));
const flowName = fc.constantFrom('default', 'short', 'constructor', '__proto__', 'gone');
const screen = fc.constantFrom('one_pager', 'signup', 'checkout_v3_tr', 'success', 'nope');
const family = fc.constantFrom('monthly', 'quarterly', 'upsell_monthly_799', 'weekly');
const variant = fc.record({
  key: sometimes(fc.constantFrom('a', 'b', 'a/7d', 'a/b/c')),
  weight: sometimes(fc.constantFrom(0, 50, 100, 33.333, -1)),
  flow: sometimes(flowName),
});
const offer = fc.record({
  plans: sometimes(fc.array(family, { maxLength: 2 })),
  upsell: sometimes(family),
  guide: sometimes(fc.constant('guide_899')),
});
const good = fc.constantFrom(
  configText(),
  configText([arm('a', 50), arm('b', 50, 'lp11ch8')]),
  configText([arm('a', 100, 'short')]),
);
const config = fc.oneof(
  { weight: 5, arbitrary: good },
  fc
    .record({
      experiment: sometimes(fc.constant('e')),
      variants: sometimes(fc.array(variant, { maxLength: 3 })),
      offers: sometimes(fc.dictionary(fc.constantFrom('a', '__proto__'), offer)),
    })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
  fc.constant(' '.repeat(257 * 1024)),
  fc.constant(null),
);
const flows = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(flowsText(), flowsText({ short: ['one_pager', 'success'] })),
  },
  fc
    .record({
      flows: sometimes(fc.dictionary(flowName, fc.array(screen, { maxLength: 3 }))),
      aliases: sometimes(fc.dictionary(fc.string(), screen)),
    })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.constant(null),
);

/** What the Worker makes of a pair: nothing, or the reason it refuses. */
function refusal(one: string | null, two: string | null): string | null {
  try {
    readDocuments(one, two);
    return null;
  } catch (error) {
    if (error instanceof InvalidDocument) return `${error.key} ${error.message}`;
    throw error;
  }
}

test('there are no problems exactly when the Worker takes the pair, and its reason is the first', () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(config, flows, (one, two) => {
      const [first] = problemsOf(one, two);
      const line = first && `${first.key} ${first.path && `${first.path}: `}${first.reason}`;
      expect(refusal(one, two)).toBe(line ?? null);
      seen[first ? 'refused' : 'taken']++;
    }),
    { numRuns: process.env.FULL === '1' ? 20_000 : 1000 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
});
