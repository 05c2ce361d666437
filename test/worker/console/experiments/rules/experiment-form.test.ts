import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyForm,
  changedVariant,
  formOf,
  reassignmentWarning,
  shareSentences,
  shipped,
} from '../../../../../worker/console/experiments/rules/experiment-form.ts';
import { builtInDocuments } from '../../../../../worker/experiments/rules/config-documents.ts';
import { arm, configText, flowsText, texts } from '../../../../scripts/config/command-context.ts';

test('experiment form: a form filled from documents changes nothing when it is applied', () => {
  const live = texts(configText([arm('a', 99.5), arm('b', 0.5, 'short')], { coupons: {} }));
  const again = applyForm(live, formOf(live));
  expect(JSON.parse(again['config.json'] ?? '')).toEqual(JSON.parse(live['config.json']));
  expect(again['flows.json']).toBe(live['flows.json']);
});

test('experiment form: offers and coupons stay when the split changes', () => {
  const live = texts(configText([arm('a', 100)], { offers: { a: 1 }, coupons: { X: 2 } }));
  const next = applyForm(live, { experiment: 'new', variants: [arm('b', 100)] });
  expect(JSON.parse(next['config.json'] ?? '')).toEqual({
    experiment: 'new',
    variants: [arm('b', 100)],
    offers: { a: 1 },
    coupons: { X: 2 },
  });
});

test.each([null, '', '[]', '{"half', '7'])(
  'experiment form: with documents that read %j it starts from the built-in ones',
  (config) => {
    const live = { 'config.json': config, 'flows.json': null };
    expect(formOf(live)).toEqual(formOf(builtInDocuments));
    expect(applyForm(live, formOf(live))['flows.json']).toBe(builtInDocuments['flows.json']);
  },
);

test('experiment form: rows of another shape become empty fields', () => {
  const config = '{"experiment":1,"variants":[null,{"key":2,"weight":"3","flow":{}}]}';
  expect(formOf(texts(config, flowsText()))).toEqual({
    experiment: '',
    variants: [
      { key: '', weight: Number.NaN, flow: '' },
      { key: '', weight: 3, flow: '' },
    ],
  });
});

test.each([
  [
    [arm('a', 100)],
    [arm('a', 88), arm('b', 12)],
    ['12% of new visitors will see “b” instead of “a”.'],
  ],
  [
    [arm('a', 60), arm('b', 40)],
    [arm('a', 30), arm('b', 30), arm('c', 40)],
    [
      '30% of new visitors will see “c” instead of “a”.',
      '10% of new visitors will see “c” instead of “b”.',
    ],
  ],
  [
    [arm('a', 100, 'long')],
    [arm('a', 100, 'short')],
    ['Visitors of “a” will go through the flow “short” instead of “long”.'],
  ],
  [
    [arm('a', 0.1), arm('b', 99.9)],
    [arm('a', 0.3), arm('b', 99.7)],
    ['0.2% of new visitors will see “a” instead of “b”.'],
  ],
  [[arm('a', 50), arm('b', 50)], [arm('b', 50), arm('a', 50)], []],
  [[arm('a', 100), arm('b', 0, 'long')], [arm('a', 100), arm('b', 0, 'short')], []],
  [
    [arm('a', 50), arm('b', 50)],
    [arm('a', 40), arm('b', 40), arm('c', 12), arm('d', 8)],
    [
      '10% of new visitors will see “c” instead of “a”.',
      '2% of new visitors will see “c” instead of “b”.',
      '8% of new visitors will see “d” instead of “b”.',
    ],
  ],
])('experiment form: the description of the change from %j to %j', (before, after, sentences) => {
  expect(shareSentences(before, after)).toEqual(sentences);
});

const split = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
  .chain((keys) =>
    fc.tuple(
      fc.constant(keys),
      fc.array(fc.integer({ min: 0, max: 10_000 }), {
        minLength: keys.length - 1,
        maxLength: keys.length - 1,
      }),
    ),
  )
  .map(([keys, cuts]) => {
    const bounds = [0, ...cuts.sort((a, b) => a - b), 10_000];
    return keys.map((key, i) => arm(key, ((bounds[i + 1] ?? 0) - (bounds[i] ?? 0)) / 100));
  });

test('experiment form: the description of any change accounts for every share that moves', () => {
  fc.assert(
    fc.property(split, split, (before, after) => {
      const weight = (all: typeof before, key: string) =>
        all.find((each) => each.key === key)?.weight ?? 0;
      const gains = after.map(({ key }) => Math.max(0, weight(after, key) - weight(before, key)));
      const moved = shareSentences(before, after)
        .filter((line) => line.includes('new visitors'))
        .map((line) => Number.parseFloat(line));
      const sum = (all: number[]) => Math.round(all.reduce((a, b) => a + b, 0) * 100);
      expect(sum(moved)).toBe(sum(gains));
    }),
  );
});

test('experiment form: a new name assigns all visitors again, by the shares above 0', () => {
  const thirds = [arm('a', 100 / 3), arm('b', 200 / 3)];
  expect(reassignmentWarning({ experiment: 'new', variants: thirds })).toContain(
    '33.33% “a”, 66.67% “b”.',
  );
  const variants = [arm('a', 60), arm('b', 39.5), arm('c', 0), arm('d', 0.5)];
  expect(reassignmentWarning({ experiment: 'new', variants })).toBe(
    'All visitors, including returning ones, are assigned again: 60% “a”, 39.5% “b”, 0.5% “d”.',
  );
});

test.each([
  ['grows', [arm('a', 100), arm('b', 0)], [arm('a', 60), arm('b', 40)], 'b'],
  ['is new', [arm('a', 60), arm('b', 40)], [arm('a', 80), arm('b', 10), arm('c', 10)], 'c'],
  ['has another flow', [arm('a', 50), arm('b', 50)], [arm('a', 60), arm('b', 40, 'x')], 'b'],
  ['stays', [arm('a', 50), arm('b', 50)], [arm('a', 50), arm('b', 50)], undefined],
])(
  'experiment form: the list of screens begins with the variant that %s',
  (_how, before, after, key) => expect(changedVariant(before, after)).toBe(key),
);

test('experiment form: a shipped variant gets all new visitors', () => {
  const form = { experiment: 'e', variants: [arm('a', 50), arm('b', 50)] };
  expect(shipped(form, 'b')).toEqual({ experiment: 'e', variants: [arm('a', 0), arm('b', 100)] });
});
