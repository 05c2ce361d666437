import * as v from 'valibot';
import { expect, test } from 'vitest';
import { withChanges } from '../../../../../worker/console/experiments/rules/changed-config.ts';
import {
  pausedOrContinued,
  rolledOut,
} from '../../../../../worker/console/experiments/rules/roll-out.ts';
import {
  type Experiment,
  experimentsSchema,
} from '../../../../../worker/experiments/rules/experiments-schema.ts';

const now = Date.UTC(2026, 11, 10, 9);
const at = '2026-12-10T09:00:00.000Z';
const sold = { plans: ['monthly'], upsell: 'u', guide: 'g' };
const config = {
  experiment: 'prices',
  variants: [
    { key: 'fullPrice', weight: 50, flow: 'default' },
    { key: 'intro/7d', weight: 50, flow: 'short' },
  ],
  offers: { fullPrice: { plans: ['yearly'] }, cheap: sold },
  coupons: { X: {} },
};
const another = {
  ...{ id: 'other', hypothesis: 'O', metric: 'revenue' },
  variants: [
    { key: 'a', weight: 50 },
    { key: 'b', weight: 50 },
  ],
};

function setUp(changes: object, more: object = {}) {
  const variants = [
    { key: 'control', weight: 50 },
    { key: 'b', weight: 50, changes },
  ];
  const targeting = { countries: ['DE'] };
  const one = {
    id: 'headline',
    hypothesis: 'H',
    metric: 'purchases',
    share: 50,
    variants,
    targeting,
  };
  const written = { experiments: [another, { ...one, ...more }] };
  const [, experiment] = v.parse(experimentsSchema, written).experiments;
  const documents = {
    'config.json': JSON.stringify(config),
    'flows.json': '{}',
    'experiments.json': JSON.stringify(written),
  };
  return { documents, experiment: experiment as Experiment };
}

function rollOut(changes: object, more: object = {}, winner = 'b', everybody = true) {
  const { documents, experiment } = setUp(changes, more);
  const outcome = rolledOut(documents, experiment, { winner, everybody, now });
  const read = (name: string) => JSON.parse(outcome.documents[name] ?? '');
  const [other, own] = read('experiments.json').experiments;
  expect(other).toEqual(another);
  expect(outcome.documents['flows.json']).toBe('{}');
  return { ...outcome, own, config: read('config.json') };
}

const texts = { de: { 'screens.x': 'Alles gut?' }, fr: { 'screens.x': 'Tout va bien ?' } };

test('roll-out: texts are published for everybody, and the test ends ten minutes before it changes nothing', () => {
  const found = rollOut({ texts });
  expect(found.texts).toEqual(texts);
  expect(found.config).toEqual(config);
  expect(found.own).toMatchObject({
    winner: 'b',
    ends: at,
    rolled_out: '2026-12-10T09:10:00.000Z',
    variants: [{}, { changes: { texts } }],
  });
  expect(found.sentences).toEqual([
    'Everybody who reads German will see: “Alles gut?”',
    'Everybody who reads French will see: “Tout va bien ?”',
    'The texts are published first, so the winner’s visitors see the same words all the time.',
    '“headline” ends, and nobody counts any more.',
  ]);
});

test('roll-out: a flow becomes that of every variant of the split', () => {
  const found = rollOut({ flow: 'long' });
  expect(found.config).toEqual({
    ...config,
    variants: config.variants.map((each) => ({ ...each, flow: 'long' })),
  });
  expect([found.own.winner, found.own.rolled_out, found.texts]).toEqual([
    'b',
    '2026-12-10T09:10:00.000Z',
    {},
  ]);
  expect(found.sentences[0]).toBe('Every variant of the split gets the flow “long”.');
});

test('roll-out: an offer is sold by every variant of the split', () => {
  const { config: next, sentences } = rollOut({ offer: 'cheap' });
  expect(next).toEqual({ ...config, offers: { cheap: sold, fullPrice: sold, 'intro/7d': sold } });
  expect(sentences[0]).toBe('Every variant of the split sells what “cheap” sells.');
});

test.each([
  ['a theme, as no document has one', { theme: 'found', texts }, true],
  ['what is for those who take part', { texts, flow: 'long' }, false],
])('roll-out: %s stays with the visitors that the test admits', (_, changes, everybody) => {
  const found = rollOut(changes, {}, 'b', everybody);
  expect([found.config, found.texts]).toEqual([config, {}]);
  expect(found.own).toMatchObject({ winner: 'b', ends: at, share: 100 });
  expect(found.own.rolled_out).toBeUndefined();
  expect(found.sentences[0]).toBe(
    '“b” stays for visitors in Germany; everybody else sees the control.',
  );
});

test('roll-out: in a layer the share stays, because it belongs to the others', () => {
  const found = rollOut({ theme: 'found' }, { layer: 'top' });
  expect(found.own.share).toBe(50);
  expect(found.sentences[0]).toBe(
    '“b” stays for 50% of visitors in Germany; everybody else sees the control.',
  );
});

test('roll-out: the control changes nothing, and a test that is over keeps its end', () => {
  const ends = '2026-12-01T00:00:00Z';
  const found = rollOut({ texts, flow: 'long' }, { ends }, 'control');
  expect([found.config, found.texts]).toEqual([config, {}]);
  expect(found.own).toMatchObject({ winner: 'control', ends });
  expect(found.sentences[0]).toBe('Everybody sees what visitors see without the test.');
});

test('roll-out: a pause ends the test now, and continuing it removes the end', () => {
  const { documents, experiment } = setUp({ texts });
  const paused = pausedOrContinued(documents, experiment, { isEnd: true, now }).documents;
  const own = (text: string | null | undefined) => JSON.parse(text ?? '').experiments[1];
  expect(own(paused['experiments.json'])).toEqual({
    ...own(documents['experiments.json']),
    ends: at,
  });
  const { documents: again } = pausedOrContinued(paused, experiment, { isEnd: false, now });
  expect(JSON.parse(again['experiments.json'] ?? '')).toEqual(
    JSON.parse(documents['experiments.json']),
  );
});

test('roll-out: a flow and an offer that are gone leave a variant as it is', () => {
  const text = JSON.stringify(config);
  expect(JSON.parse(withChanges(text, ['fullPrice'], { offer: 'gone' }))).toEqual(config);
});
