import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

const facts = { country: 'US', number: '+1 212 555 0100' };

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ local: new Map() });
});
async function open(...answers: (() => Response)[]) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => answers.shift()?.());
  vi.stubGlobal('fetch', fetch);
  const { lookUp } = await import('../../../islands/phone/lookup.ts');
  const { setPhone } = await import('../../../islands/phone/entered-phone.ts');
  setPhone('2125550100', 'US');
  return { fetch, lookUp, setPhone };
}
const found = () => Response.json({ data: facts });
const refused = (code: string) => () => Response.json({ errors: { code } }, { status: 422 });

it('lookup: the landing page and the look-up screen share one request', async () => {
  const { fetch, lookUp } = await open(found);
  expect(await Promise.all([lookUp(), lookUp()])).toEqual(['found', 'found']);
  expect(await lookUp()).toBe('found');
  expect(fetch.mock.calls.map(([path, { body }]) => [path, JSON.parse(String(body))])).toEqual([
    ['/api/v1/phone-number-info', { phone: '2125550100', country: 'US' }],
  ]);
});

it('lookup: a failed look-up is requested again, and so is another number', async () => {
  const { fetch, lookUp, setPhone } = await open(refused('phone_lookup_failed'), found, found);
  expect(await lookUp()).toBe('failed');
  expect(await lookUp()).toBe('found');
  setPhone('4155550123', 'US');
  expect(await lookUp()).toBe('found');
  expect(fetch).toHaveBeenCalledTimes(3);
});

it.each([
  ['phone_incorrect', 'incorrect'],
  ['phone_ambiguous', 'incorrect'],
  ['phone_lookup_failed', 'failed'],
  ['rate_limited', 'failed'],
  ['unexpected', 'failed'],
])('lookup: a look-up that is refused as %s is %s', async (code, verdict) => {
  const { lookUp } = await open(refused(code));
  expect(await lookUp()).toBe(verdict);
});

it('lookup: a look-up without a connection failed', async () => {
  const { lookUp } = await open(() => {
    throw new TypeError('offline');
  });
  expect(await lookUp()).toBe('failed');
});
