import * as v from 'valibot';
import { afterAll, expect, test, vi } from 'vitest';
import { commandContext, texts } from './config/command-context.ts';

const kindsFile = '../../worker/experiments/rules/config-kinds.ts';
const reviewsFile = '../../worker/experiments/rules/config-reviews.ts';
type Kinds = typeof import('../../worker/experiments/rules/config-kinds.ts');
type Reviews = typeof import('../../worker/experiments/rules/config-reviews.ts');

/** Price lists, as one entry of each registry. */
const lists = {
  schema: v.object({ prices: v.record(v.string(), v.number('not an amount')) }),
  builtIn: '{"prices":{}}',
  isRequired: false,
  between: ({ lists: { prices } }: { lists: { prices: Record<string, number> } }) =>
    'free' in prices ? [{ key: 'lists.json', path: 'prices.free', reason: 'no such plan' }] : [],
};
const review = {
  warnings: () => [],
  changes: () => ['price changed'],
  affects: 'Only new purchases get a changed price.',
};

// Test files share modules, so these are loaded again, and forgotten after the tests.
vi.resetModules();
vi.doMock(kindsFile, async (original) => {
  const actual = await original<Kinds>();
  return { ...actual, kinds: { ...actual.kinds, lists } };
});
vi.doMock(reviewsFile, async (original) => {
  const actual = await original<Reviews>();
  return { ...actual, reviews: { ...actual.reviews, lists: review } };
});
const { configSet } = await import('../../worker/experiments/config-set.ts');
const { documentKeys } = await import('../../worker/experiments/readable-config.ts');
const { readLive } = await import('../../worker/documents/live-documents.ts');
const { history, publish, requireValid } = await import('../../scripts/versioned-documents.ts');
afterAll(() => {
  vi.doUnmock(kindsFile);
  vi.doUnmock(reviewsFile);
  vi.resetModules();
});

const prices = (all: object) => ({ ...texts(), 'lists.json': JSON.stringify({ prices: all }) });

test('a new kind: documents published before it was added stay valid, and it can be published, listed and written by hand', async () => {
  expect(documentKeys).toEqual([
    'config.json',
    'flows.json',
    'catalog.json',
    'experiments.json',
    'lists.json',
  ]);
  const { context, printed } = commandContext();
  const { kv } = context;
  await publish(configSet, texts(), { yes: true }, context);
  expect((await readLive(kv, configSet)).documents).toEqual(texts());
  await publish(configSet, prices({ monthly: 499 }), { yes: true }, context);
  expect(printed).toContain('price changed');
  expect((await readLive(kv, configSet)).documents).toEqual(prices({ monthly: 499 }));
  await history(configSet, context);
  expect(printed.at(-2)).toContain('config, flows, lists  (live)');
  await kv.put('lists.json', '{"prices":{"monthly":599}}');
  const { documents } = await readLive(kv, configSet);
  expect(documents['lists.json']).toContain('599');
});

test.each([
  ['a wrong field', { monthly: 'x' }, 'error: lists.json prices.monthly: not an amount'],
  ['a conflict with another document', { free: 0 }, 'error: lists.json prices.free: no such plan'],
])('a new kind: %s is refused with its place and reason', (_, all, line) => {
  const { context, printed } = commandContext();
  expect(() => requireValid(configSet, prices(all), context.print)).toThrow('1 error.');
  expect(printed).toEqual([line]);
});
