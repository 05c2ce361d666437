import { beforeEach, expect, test, vi } from 'vitest';
import { manifestKey } from '../../../worker/documents/manifest.ts';
import { LiveConfig } from '../../../worker/experiments/live-config.ts';
import type { DocumentKey } from '../../../worker/experiments/rules/config-schema.ts';
import type { Log } from '../../../worker/platform/log.ts';
import { withSecondMonthly } from '../../second-version.ts';
import { kvOf } from '../kv-of.ts';

type Answer = (key: string) => Promise<string | null>;

const configOf = (experiment: string) =>
  JSON.stringify({
    experiment,
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  });
const flows = JSON.stringify({ flows: {}, aliases: {} });
const pair =
  (experiment: string): Answer =>
  async (key) =>
    key === 'config.json' ? configOf(experiment) : flows;
const never: Answer = () => new Promise(() => {});
/** A cold isolate's store on a KV with these responses, and its log. */
function coldIsolate(answer: Answer, maxAgeMs = 30_000, isPublished = false) {
  const kv = { get: vi.fn(answer) };
  const read = (key: string) =>
    key === 'experiments.json' || ([manifestKey, 'catalog.json'].includes(key) && !isPublished)
      ? Promise.resolve(null)
      : kv.get(key);
  const log = vi.fn<Log>();
  const work: Promise<unknown>[] = [];
  const options = {
    kv: kvOf(read),
    log,
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    maxAgeMs,
    production: false,
  };
  const store = new LiveConfig();
  return {
    kv,
    log,
    current: () => store.current(options),
    settle: () => Promise.all(work.splice(0)),
    problems: () => log.mock.calls.map(([, , fields]) => [fields?.document, fields?.reason]),
  };
}

beforeEach(() => void vi.useFakeTimers());

test('config: the documents from KV are served', async () => {
  const config = await coldIsolate(pair('e1')).current();
  expect(config.live).toBe(true);
  expect(config.configuration.experiment).toBe('e1');
  expect(JSON.parse(config.published['config.json'])).toMatchObject({ experiment: 'e1' });
});

test('config: while KV hangs the built-in documents are served', async () => {
  const current = coldIsolate(never).current();
  await vi.advanceTimersByTimeAsync(150);
  const config = await current;
  expect([config.live, config.configuration.experiment]).toEqual([false, 'built-in']);
});

const throws: Answer = async () => {
  throw new TypeError('KV is not there');
};
const throwsAtOnce = (() => {
  throw new TypeError('KV is not there');
}) as unknown as Answer;
const html: Answer = async () => '<!doctype html>';

test.each<[string, Answer, DocumentKey, string]>([
  ['nothing stored', async () => null, 'config.json', 'missing'],
  ['an error', throws, 'config.json', 'KV failed'],
  ['an error at once', throwsAtOnce, 'config.json', 'KV failed'],
  ['HTML', html, 'config.json', 'not JSON'],
  [
    'half a pair',
    async (key: string) => (key === 'config.json' ? configOf('e') : null),
    'flows.json',
    'missing',
  ],
])(
  'config: with %s in KV the built-in documents are served and one line is logged',
  async (_, answer, key, reason) => {
    const { current, settle, problems, log } = coldIsolate(answer, 0);
    for (let visitor = 0; visitor < 5; visitor++) {
      const config = await current();
      expect([config.live, config.configuration.experiment]).toEqual([false, 'built-in']);
      await settle();
    }
    expect(problems()).toEqual([[key, expect.stringContaining(reason)]]);
    expect(log.mock.calls[0]?.slice(0, 2)).toEqual(['error', 'config_refused']);
  },
);

test('config: a hanging read times out after 10 s and is retried', async () => {
  const { kv, current, settle, problems } = coldIsolate(never);
  const first = current();
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await first).live).toBe(false);
  await settle();
  expect(problems()).toEqual([['config.json', 'KV did not answer']]);
  kv.get.mockImplementation(pair('e2'));
  expect((await current()).configuration.experiment).toBe('e2');
});

test('config: an invalid write keeps the last valid pair and is logged once per problem', async () => {
  const { kv, current, settle, problems } = coldIsolate(pair('e1'), 0);
  await current();
  const turn = async (answer: Answer) => {
    kv.get.mockImplementation(answer);
    await vi.advanceTimersByTimeAsync(1);
    await current();
    await settle();
    return (await current()).configuration.experiment;
  };
  for (let i = 0; i < 3; i++) expect(await turn(html)).toBe('e1');
  for (let i = 0; i < 3; i++) expect(await turn(throws)).toBe('e1');
  expect(await turn(async () => null)).toBe('e1');
  const reasons = problems().map(([, reason]) => reason?.replace(/ \(.*/s, ''));
  expect(reasons).toEqual(['not JSON', 'KV failed', 'missing']);
  expect(await turn(pair('e2'))).toBe('e2');
  expect(await turn(html)).toBe('e2');
  expect(problems()).toHaveLength(4);
});

test('config: a valid document is not paired with an invalid one', async () => {
  const { kv, current, settle } = coldIsolate(pair('e1'), 0);
  await current();
  kv.get.mockImplementation(async (key) => (key === 'config.json' ? configOf('e2') : '{'));
  await vi.advanceTimersByTimeAsync(1);
  await current();
  await settle();
  expect((await current()).configuration.experiment).toBe('e1');
});

const hashes = { config: 'a'.repeat(32), flows: 'b'.repeat(32) };
const manifest = JSON.stringify({
  config: {
    version: '1',
    time: '2026-11-30T10:00:00.000Z',
    who: 'ann',
    documents: { 'config.json': hashes.config, 'flows.json': hashes.flows },
  },
});
/** A KV with a publication and these keys written by hand. */
const published =
  (byHand: Record<string, string> = {}): Answer =>
  async (key) =>
    ({
      [manifestKey]: manifest,
      [`documents/${hashes.config}`]: configOf('published'),
      [`documents/${hashes.flows}`]: flows,
    })[key] ??
    byHand[key] ??
    null;

test('config: the documents of the manifest are served, and each hash is read once', async () => {
  const { kv, current, settle } = coldIsolate(published(), -1, true);
  for (let visit = 0; visit < 3; visit += 1) {
    expect((await current()).configuration.experiment).toBe('published');
    await settle();
  }
  const reads = kv.get.mock.calls.filter(([key]) => key === `documents/${hashes.config}`);
  expect(reads).toHaveLength(1);
});

test('config: a document written by hand wins; an invalid one is refused and reported, and hides nothing', async () => {
  const { kv, current, settle, problems } = coldIsolate(published(), -1, true);
  const turn = async (answer: Answer) => {
    // The last visit of the previous turn may still read.
    await settle();
    kv.get.mockImplementation(answer);
    await current();
    await settle();
    return (await current()).configuration.experiment;
  };
  expect(await turn(published({ 'config.json': configOf('by-hand') }))).toBe('by-hand');
  const broken = published({ 'config.json': '{' });
  expect(await turn(broken)).toBe('by-hand');
  expect(problems()).toEqual([['config.json', expect.stringContaining('not JSON')]]);
  const fresh = coldIsolate(broken, -1, true);
  const { configuration, live } = await fresh.current();
  expect([configuration.experiment, live]).toEqual(['published', true]);
  expect(fresh.problems()).toEqual([['config.json', expect.stringContaining('not JSON')]]);
});

test('config: a catalog written by hand may add a version, and change no published price', async () => {
  const written = (catalog: unknown) =>
    coldIsolate(published({ 'catalog.json': JSON.stringify(catalog) }), -1, true);
  const added = withSecondMonthly({ prices: { USD: 49.99, EUR: 44.99 } });
  const more = written(added);
  expect((await more.current()).configuration.catalog.resolve('monthly')).toBe('monthly@2');
  expect(more.problems()).toEqual([]);
  const cheaper = structuredClone(added);
  cheaper.products.monthly.versions[1].prices.USD = 1.99;
  const changed = written(cheaper);
  const { catalog } = (await changed.current()).configuration;
  expect(catalog.planById('monthly_usd')?.price).toBe(3999);
  expect(catalog.resolve('monthly')).toBe('monthly');
  const reason = 'products.monthly.versions.1: was sold so; add a version';
  expect(changed.problems()).toEqual([['catalog.json', reason]]);
});
