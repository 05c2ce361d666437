import { address, card, e164, pan } from './test-identities.ts';
import type { Call, Visitor } from './visitor.ts';

type Json = Record<string, unknown>;

/** Personal data in places where it does not belong. */
const planted = [e164, address, pan, e164.slice(1)];
const cvc = card.parts?.[0];

/** Few enough concurrent requests that each gets a response in time, also on a busy machine. */
const atOnce = 8;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Copies of a value, in each of which another leaf is replaced; in a list only the first member's. */
function changed(value: unknown, plantedValue: string): unknown[] {
  if (!isJson(value)) return [plantedValue];
  const entries = Object.entries(value);
  if (Array.isArray(value)) return changed(value[0], plantedValue).map((other) => [other]);
  return entries.flatMap(([key, inner]) =>
    changed(inner, plantedValue).map((other) => ({ ...value, [key]: other })),
  );
}

/** Excludes awaited calls, which are slow, and calls that end the account. */
const skipped = /^\/users\/me$|\/delete$|geocode/;

/** One call of each kind. */
const oneEach = (calls: readonly Call[]) => [
  ...new Map(
    calls
      .filter(({ path }) => !skipped.test(path))
      .map((call) => [`${call.method} ${call.path.replace(/[\da-f-]{36}/, '*')}`, call]),
  ).values(),
];

/** Repeats every call, each time with unexpected data in another field. */
export async function sendBadRequests(visitor: Visitor, calls: readonly Call[]): Promise<number[]> {
  const statuses: number[] = [];
  const query = new URLSearchParams({ q: e164, to: address, card: pan, phone: e164.slice(1) });
  const headers = { 'content-type': 'application/json', referer: `http://localhost/?${query}` };
  // Each from a separate network, so that a rate limit does not hide later calls.
  const send = async (path: string, init: RequestInit) => {
    const network = { 'cf-connecting-ip': `2001:db8:${crypto.randomUUID().slice(9, 13)}::1` };
    const sent = { ...init, headers: { ...init.headers, ...network } };
    statuses.push((await visitor.send(path, sent)).status);
  };
  for (const { method, path, body } of oneEach(calls)) {
    const address = `/api/v1${path}?${query}&email=${planted[1]}`;
    if (!isJson(body)) await send(address, { method, headers });
    else {
      const others = planted.flatMap((plantedValue) => changed(body, plantedValue));
      for (let at = 0; at < others.length; at += atOnce) {
        await Promise.all(
          others
            .slice(at, at + atOnce)
            .map((other) => send(address, { method, headers, body: JSON.stringify(other) })),
        );
      }
    }
    await send(address, { method, headers, body: method === 'GET' ? null : planted.join(' {"') });
  }
  for (const plantedValue of planted) {
    const segment = encodeURIComponent(plantedValue);
    await Promise.all(
      ['', 'admin/', 'webhooks/', 'api/v1/', 'api/v1/polling/get-result/'].flatMap((before) => [
        send(`/${before}${segment}?${query}`, {}),
        send(`/${before}${segment}`, { method: 'POST', headers, body: `{"a":"${plantedValue}"}` }),
      ]),
    );
    await send(`/api/v1/users/me/subscriptions/polling/${segment}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ payment_method_nonce: plantedValue, card: { number: pan, cvc } }),
    });
    await send('/one_pager', {
      headers: {
        authorization: `Bearer ${plantedValue}`,
        cookie: `userUuid=${plantedValue}; arm=${plantedValue}; lng=${plantedValue}; consent=${plantedValue}; carry=${plantedValue}`,
      },
    });
    await send('/api/v1/cf-country', {
      headers: { 'cf-ray': 'ray-1', 'x-operator': plantedValue, 'accept-language': plantedValue },
    });
  }
  return statuses;
}
