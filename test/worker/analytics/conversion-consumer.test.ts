import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ConversionMessage } from '../../../worker/analytics/conversion-consumer.ts';
import { isReported, recordConversion } from '../../../worker/analytics/conversion-table.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { insertConsent } from '../../../worker/visitor/consent-table.ts';
import { deliverToQueue } from '../queue.ts';
import { networkVars, openNetworks, reportedPurchase } from './conversion-fixture.ts';

let networks: ReturnType<typeof openNetworks>;
let states: (string | undefined)[] = [];

beforeEach(() => {
  networks = openNetworks();
  states = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => states.push(JSON.parse(line).state));
});
const message = (network: string, change: Partial<ConversionMessage> = {}): ConversionMessage => ({
  ...reportedPurchase(),
  network,
  ...change,
});

/** Passes messages to the consumer; returns the retried ones. */
const deliver = async (bodies: unknown[], more: Partial<Env> = {}) =>
  (await deliverToQueue('funnel-conversions', bodies, 1, { ...networkVars, ...more })).again;

test('conversion consumer: each network gets a purchase once, however often the message comes', async () => {
  const event = crypto.randomUUID();
  const all = ['meta', 'tiktok', 'google'].map((network) => message(network, { event }));
  expect(await deliver([...all, ...all])).toEqual([]);
  expect(await deliver(all)).toEqual([]);
  expect(networks.received.map(({ network, name }) => [network, name])).toEqual([
    ['meta', 'Purchase_test'],
    ['tiktok', 'CompletePayment_test'],
    ['google', 'purchase_test'],
  ]);
  expect(new Set(networks.received.map((received) => received.event))).toEqual(new Set([event]));
});

test('conversion consumer: a network that is down is retried and delays no other', async () => {
  networks.nextFaults.push(500);
  const both = [message('meta'), message('tiktok')];
  expect(await deliver(both)).toEqual(['m0']);
  networks.nextFaults.push('lost');
  expect(await deliver(both)).toEqual(['m0']);
  expect(await deliver(both)).toEqual([]);
  const ids = networks.received.map(({ network, event }) => `${network} ${event}`);
  // The lost response caused a second delivery, with the id that the network recognizes.
  expect([ids.length, new Set(ids).size]).toEqual([3, 2]);
});

test.each<[string, string | undefined, unknown, object]>([
  ['is no purchase', undefined, { network: 'meta' }, {}],
  ['is a week old', 'late', message('meta', { at: Date.now() - 8 * 86_400_000 }), {}],
  ['is for nobody', 'unconfigured', message('meta'), { META_TOKEN: undefined }],
  ['can not be matched', 'refused', message('meta', { user: {}, address: undefined }), {}],
])('conversion consumer: a message that %s is dropped', async (_, state, body, vars) => {
  expect(await deliver([body], vars)).toEqual([]);
  expect(networks.received).toEqual([]);
  expect(states).toEqual([state]);
});

test('conversion consumer: after a withdrawal of consent nothing is sent', async () => {
  const [gone, stays] = [crypto.randomUUID() as VisitorId, crypto.randomUUID() as VisitorId];
  const where = { country: 'DE', language: 'de' };
  for (const visitor of [gone, stays])
    await insertConsent(env.DB, { visitor, choice: 'yes', ...where }, 1);
  await insertConsent(env.DB, { visitor: gone, choice: 'no', ...where }, 2);
  expect(await deliver([gone, stays].map((visitor) => message('meta', { visitor })))).toEqual([]);
  expect(states).toEqual(['withdrawn', 'accepted']);
  expect(networks.received.map(({ body }) => body).join()).not.toContain(stays);
});

test('conversion consumer: a stored report is not repeated', async () => {
  const known = message('meta');
  const { network, event } = known;
  await recordConversion(env.DB, { network, event, state: 'accepted' }, Date.now());
  await deliver([known]);
  expect([networks.received, states]).toEqual([[], ['repeated']]);
});

const day = 24 * 60 * 60 * 1000;
const note = (network: string, event: string, at: number) =>
  recordConversion(env.DB, { network, event, state: 'accepted' }, at);

test('conversion table: each network’s report is stored once', async () => {
  await note('meta', 'e1', 5);
  await note('meta', 'e1', 6);
  const outcomes = [
    ['meta', 'e1'],
    ['tiktok', 'e1'],
    ['meta', 'e2'],
  ].map(([network = '', event = '']) => isReported(env.DB, network, event));
  expect(await Promise.all(outcomes)).toEqual([true, false, false]);
});

test('conversion table: rows are deleted after 90 days', async () => {
  await note('meta', 'old', 0);
  await note('meta', 'new', 91 * day);
  expect([
    await isReported(env.DB, 'meta', 'old'),
    await isReported(env.DB, 'meta', 'new'),
  ]).toEqual([false, true]);
});
