import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  draftIn,
  draftKeys,
  draftOf,
  idFor,
  newDraft,
  stepped,
  withDraft,
} from '../../../../../worker/console/experiments/rules/experiment-draft.ts';
import { pausedOrContinued } from '../../../../../worker/console/experiments/rules/roll-out.ts';
import { experimentsSchema } from '../../../../../worker/experiments/rules/experiments-schema.ts';

const key = 'screens.landing.one_pager.title';
const newcomer = [
  ['hypothesis', 'A headline with a promise sells more'],
  ['countries', 'DE'],
  ['countries', ''],
  ['languages', 'de'],
  ['placements', 'instagram'],
  ['share', '100'],
  ['metric', 'purchases'],
  ['key', 'control'],
  ['key', 'b'],
  ['weight.0', '50'],
  ['weight.1', '50'],
  ['flow.1', ''],
  [`text.1.de.${key}`, 'Alles gut?\r\n'],
  [`text.1.en.${key}`, ''],
];
const fieldsOf = (more: string[][] = []) => new URLSearchParams([...newcomer, ...more]);
const read = (text: string) => v.parse(experimentsSchema, JSON.parse(text)).experiments;

test('experiment form: what a newcomer fills in is a valid experiment, with the defaults for the rest', () => {
  const { text, index } = withDraft(null, { ...draftIn(fieldsOf()), id: 'headline' });
  expect(index).toBe(0);
  expect(JSON.parse(text)).toEqual({
    experiments: [
      {
        id: 'headline',
        hypothesis: 'A headline with a promise sells more',
        targeting: { countries: ['DE'], languages: ['de'], placements: ['instagram'] },
        share: 100,
        metric: 'purchases',
        variants: [
          { key: 'control', weight: 50 },
          { key: 'b', weight: 50, changes: { texts: { de: { [key]: 'Alles gut?' } } } },
        ],
      },
    ],
  });
  expect(read(text)).toHaveLength(1);
});

test('experiment form: an experiment read from the document and written again is the same, with what no field shows', () => {
  const experiments = [
    {
      id: 'a',
      hypothesis: 'A',
      metric: 'revenue',
      variants: [
        { key: 'x', weight: 50 },
        { key: 'y', weight: 50 },
      ],
    },
    {
      ...{ id: 'b', hypothesis: 'B', share: 20.5, layer: 'top', metric: 'sign_ups' },
      ...{ starts: '2026-12-01T08:00:00.000Z', ends: '2026-12-24T08:00:00.000Z', winner: 'y' },
      targeting: {
        devices: ['mobile'],
        platforms: ['ios'],
        campaigns: ['x', 'y'],
        visitors: 'new',
      },
      secondary: ['revenue'],
      learned: 'Promises work',
      variants: [
        { key: 'x', weight: 40 },
        {
          key: 'y',
          weight: 60,
          changes: { flow: 'f', offer: 'o', theme: 'found', texts: { de: { k: 't' } } },
        },
      ],
    },
  ];
  const document = JSON.stringify({ experiments });
  const [, second] = read(document);
  const { text, index } = withDraft(document, draftOf(second ?? expect.fail()));
  expect(index).toBe(1);
  expect(JSON.parse(text)).toEqual({ experiments });
});

test.each([
  ['A headline with a promise sells more', [], 'a-headline-with-a-promise-se'],
  ['Überschrift für Mütter', [], 'uberschrift-fur-mutter'],
  ['Короткий заголовок', [], 'test'],
  ['Donaudampfschifffahrtsgesellschaft', [], 'donaudampfschifffahrtsgesell'],
  ['Short', ['short', 'short-2'], 'short-3'],
])('experiment form: the name of %j beside %j is %s', (hypothesis, taken, name) =>
  expect(idFor(hypothesis, taken)).toBe(name),
);

test('experiment form: a local time is stored in UTC, and what is no time stays', () => {
  const times = [
    ['zone', 'Europe/Berlin'],
    ['starts', '2026-12-01T09:00'],
    ['ends', 'soon'],
  ];
  expect(draftIn(fieldsOf(times))).toMatchObject({
    starts: '2026-12-01T08:00:00.000Z',
    ends: 'soon',
  });
});

test('experiment form: its buttons add texts and variants and keep the rest; a variant without a share is removed', () => {
  const step = (value: string, more: string[][] = []) => {
    const fields = fieldsOf([['step', value], ...more]);
    return stepped(draftIn(fields), fields).variants;
  };
  const keysOf = (all: ReturnType<typeof step>) => all.map((variant) => draftKeys(variant));
  expect(keysOf(step('text 1', [['add.1', 'screens.x']]))).toEqual([[], [key, 'screens.x']]);
  expect(step('variant').map((one) => [one.key, one.weight])).toEqual([
    ['control', 34],
    ['b', 33],
    ['c', 33],
  ]);
  const third = [
    ['key', 'c'],
    ['weight.2', ''],
  ];
  expect(step('', third).map((one) => one.key)).toEqual(['control', 'b']);
  expect(step('screen 1')).toEqual(draftIn(fieldsOf()).variants);
});

test('experiment form: a new one offers a text, and is left out while nobody typed one', () => {
  const draft = { ...newDraft(key), id: 'x', hypothesis: 'X' };
  expect(draft.variants.map(draftKeys)).toEqual([[], [key]]);
  expect(JSON.parse(withDraft('', draft).text).experiments[0].variants[1]).toEqual({
    key: 'b',
    weight: 50,
  });
});

test('experiment form: an arm that a guardrail stopped stays so until it has a share, and other parts of the document stay', () => {
  const stopped = { at: '2026-12-10T00:00:00Z', guardrail: 'Declines per attempt', weight: 50 };
  const variants = [
    { key: 'control', weight: 100 },
    { key: 'b', weight: 0, stopped },
  ];
  const written = { id: 'a', hypothesis: 'A', metric: 'purchases', variants };
  const document = JSON.stringify({ other: 1, experiments: [written] });
  const [experiment] = read(document);
  const draft = draftOf(experiment ?? expect.fail());
  const writtenAgain = (weights: number[]) => {
    const own = draft.variants.map((each, at) => ({ ...each, weight: weights[at] ?? 0 }));
    return JSON.parse(withDraft(document, { ...draft, variants: own }).text);
  };
  expect(writtenAgain([100, 0])).toMatchObject({ other: 1, experiments: [{ variants }] });
  expect(writtenAgain([60, 40]).experiments[0].variants[1]).toEqual({ key: 'b', weight: 40 });
});

test('experiment form: what else is in the document stays', () => {
  const holdout = { share: 5, version: 'v' };
  const document = JSON.stringify({ experiments: [], holdout });
  const draft = { ...newDraft(key), id: 'x', hypothesis: 'X' };
  const { text } = withDraft(document, draft);
  expect(JSON.parse(text).holdout).toEqual(holdout);
  const { experiments } = JSON.parse(text);
  const [one = expect.fail()] = read(JSON.stringify({ experiments }));
  const { documents } = pausedOrContinued({ 'experiments.json': text }, one, {
    isEnd: true,
    now: 0,
  });
  expect(JSON.parse(documents['experiments.json'] ?? '')).toMatchObject({
    holdout,
    experiments: [{ id: 'x' }],
  });
});
