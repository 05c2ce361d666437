import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';
import { answerOf, d1Faults, outages, shortenTimers } from './faulty-binding.ts';

const addresses = [
  '',
  'd',
  'm',
  'guide',
  'i',
  'manage',
  'manage/card',
  'manage/receipt',
  'cancel',
  'healthy_nowhere',
];
const legal = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];
const documents = ['config.json', 'flows.json'];
const paths = [...addresses, ...legal, ...documents, ...screenIds].map((path) => `/${path}`);
const browser = { headers: { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' } };

const seen = async (down = {}) =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body } = await answerOf(path, browser, down);
      return [path, status, body] as const;
    }),
  );

let healthy: Awaited<ReturnType<typeof seen>>;

beforeEach(() => {
  shortenTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
});
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
  await seen();
  healthy = await seen();
});

const broken = [...outages, ...d1Faults];

test('faults: without faults every page is served', () => {
  const statuses = healthy.map(([path, status]) => [path, status]);
  expect(statuses).toEqual(paths.map((path) => [path, path === '/healthy_nowhere' ? 404 : 200]));
});

test.each(broken)(
  'faults: %s, every call %s: every page is served, byte for byte the same',
  async (...one) => {
    const [, , down] = one;
    expect(await seen(down)).toEqual(healthy);
  },
);

test.each(broken)(
  'faults: %s, every call %s: a form without JavaScript still leads to the next screen',
  async (...one) => {
    const [, , down] = one;
    const form = {
      ...browser,
      method: 'POST',
      body: new URLSearchParams({ phone: '+14155550132' }),
    };
    const { status, headers } = await answerOf('/one_pager', form, down);
    expect([status, headers.get('location')]).toEqual([303, '/searching']);
  },
);
