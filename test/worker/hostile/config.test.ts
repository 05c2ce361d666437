import { beforeEach, expect, test, vi } from 'vitest';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { answers, good, isolate, type Read } from '../fresh-isolate.ts';
import { scaled, seeded } from '../payments/payments-fixture.ts';

const errors = vi.spyOn(console, 'error');
const refusals = () =>
  errors.mock.calls.filter(([line]) => String(line).includes('config_refused')).length;

beforeEach(() => void errors.mockReset());

const variant = (change: object) => ({
  experiment: 'bad',
  variants: [{ key: 'fullPrice', weight: 100, flow: 'default', ...change }],
});
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const poisons: ((random: () => number) => unknown)[] = [
  () => variant({ weight: 0 }),
  (random) => variant({ weight: -random() * 100 }),
  (random) => variant({ weight: random() * 99 }),
  () => variant({ weight: 'NaN' }),
  () => variant({ weight: null }),
  () => variant({ flow: 'no_such_flow' }),
  () => variant({ flow: '__proto__' }),
  () => variant({ key: '<script>alert(1)</script>' }),
  () => ({ experiment: '"><img src=x onerror=alert(1)>', variants: [] }),
  () => ({ experiment: 'bad', variants: Array(100_000).fill({ key: 'a', weight: 0 }) }),
  () => '{"__proto__":{"experiment":"x"},"constructor":1}',
  () => '<!DOCTYPE html><title>502</title>',
  (random) => nested(Math.ceil(random() * 20_000)),
  (random) => good['config.json'].slice(0, Math.floor(random() * good['config.json'].length)),
  () => 'null',
  () => '',
  () => '1e999',
];

const flow = (...screens: unknown[]) => ({ flows: { mine: screens } });
const poisonedFlows: ((random: () => number) => unknown)[] = [
  () => flow(),
  () => flow('one_pager', 'no_such_screen'),
  () => flow('one_pager', 'signup', 'one_pager'),
  () => flow('<script>alert(1)</script>'),
  () => flow(null, 1, {}),
  () => ({ flows: { 'a b': ['one_pager'] } }),
  () => ({ flows: {}, aliases: { start: '__proto__' } }),
  () => ({ flows: [] }),
  () => flow(...Array(100_000).fill('success')),
  () => '{"flows":{"__proto__":["one_pager"]',
  (random) => nested(Math.ceil(random() * 20_000)),
  () => '<html></html>',
];

/** A document that must not count; a number keeps two of a kind apart. */
function poison(random: () => number, index: number): Record<string, string> {
  const [key, kinds] =
    index % 2 ? (['config.json', poisons] as const) : (['flows.json', poisonedFlows] as const);
  const made = kinds[(index >> 1) % kinds.length]?.(random);
  const text = typeof made === 'string' ? made : JSON.stringify(made);
  return { [key]: `${text}${' '.repeat(1 + index)}` };
}

test('hostile config: invalid documents break no page, the last valid pair is served and one line is logged', {
  timeout: 600_000,
}, async () => {
  const visit = isolate();
  const random = seeded(Date.now());
  await visit(answers(good));
  const count = scaled(10_000);
  for (let index = 0; index < count; index++) {
    const { status, html } = await visit(answers({ ...good, ...poison(random, index) }));
    expect([index, status, html.includes('data-flow="lp11ch8"')]).toEqual([index, 200, true]);
  }
  expect(refusals()).toBe(count);
});

test('hostile config: a document of 24 MB is refused', async () => {
  const visit = isolate();
  await visit(answers(good));
  const { html } = await visit(answers({ ...good, 'flows.json': ' '.repeat(24 * 1024 * 1024) }));
  expect(html).toContain('data-flow="lp11ch8"');
  expect(refusals()).toBe(1);
});

const faults: Record<string, Read> = {
  'throws at once': () => {
    throw new Error('KV is down');
  },
  rejects: async () => {
    throw new Error('KV is down');
  },
  hangs: () => new Promise<null>(() => {}),
  'holds nothing': async () => null,
};

test.each(Object.entries(faults))(
  'hostile config: with KV %s a cold isolate answers 200 and assigns nobody',
  {
    timeout: 600_000,
  },
  async (_name, get) => {
    for (let load = 0; load < scaled(250); load++) {
      const { status, html, cookies } = await isolate()(get, false);
      expect(status).toBe(200);
      expect(html).toContain('data-flow="default"');
      expect(cookies.filter((cookie) => cookie.startsWith('arm='))).toEqual([]);
    }
  },
);

test.each(Object.entries(faults))(
  'hostile config: with KV %s a warm isolate keeps its copy',
  {
    timeout: 600_000,
  },
  async (_name, get) => {
    const visit = isolate();
    await visit(answers(good));
    for (let load = 0; load < scaled(250); load++) {
      const { status, html } = await visit(get, false);
      expect([status, html.includes('data-flow="lp11ch8"')]).toEqual([200, true]);
    }
  },
);

test('hostile config: the built-in documents are valid', async () => {
  const { html } = await isolate()(answers(builtInDocuments));
  expect(html).toContain('data-flow="default"');
  expect(refusals()).toBe(0);
});
