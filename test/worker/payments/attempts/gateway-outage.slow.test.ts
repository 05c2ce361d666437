import { runDurableObjectAlarm } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { bodyText } from '../../../fakes/body-text.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import {
  buyer,
  dayMs,
  gateways,
  hourMs,
  minuteMs,
  startPurchase,
  stubGateways,
  unrefunded,
} from '../payments-fixture.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
const lost = () => new TypeError('network connection lost');

type Outage = 'nothing arrives' | 'replies are lost';

const cases = gateways.flatMap((gateway) =>
  (['nothing arrives', 'replies are lost'] satisfies Outage[]).flatMap((dark) =>
    [9 * minuteMs, 10 * minuteMs, 24 * hourMs, 25 * hourMs, 31 * dayMs].map(
      (ms) => [gateway, dark, ms] as const,
    ),
  ),
);

/** The name of a call that creates something at a gateway; null for one that reads, cancels or names. */
function creation({ method, url }: Request, body: string): string | null {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/graphql')) return /mutation (Charge)\b/.exec(body)?.[1] ?? null;
  const made = /\/(customers|subscriptions|payment_intents|coupons|attach|confirm)$/.exec(pathname);
  return method === 'POST' ? (made?.[1] ?? null) : null;
}

test.each(cases)('outage: %s is unreachable (%s) for %i ms', async (gateway, how, ms) => {
  const start = Date.now();
  let dark = true;
  let begun = false;
  /** Creating calls that the gateway received more than ten minutes after the click. */
  const late: string[] = [];
  const fakes = stubGateways({
    wrap: (next) => async (input, init) => {
      const request = new Request(input, init);
      const made = creation(request, await bodyText(request.clone()));
      // The payer and the card are known; the outage begins with the payment.
      begun ||= made !== null && made !== 'customers';
      const out = dark && begun;
      if (out && how === 'nothing arrives') throw lost();
      if (made && Date.now() - start > 10 * minuteMs) late.push(made);
      const response = await next(request);
      if (out) throw lost();
      return response;
    },
  });
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
  const id = await startPurchase(stub, purchase);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    expect((await stub.result(id))?.tries).toBeGreaterThan(0);
  }, pollTimeout);
  const before = fakes.captured().length;
  vi.setSystemTime(start + ms);
  dark = false;
  const attempt = await vi.waitFor(async () => {
    vi.setSystemTime(Date.now() + minuteMs);
    await runDurableObjectAlarm(stub);
    const found = await stub.result(id);
    expect(['active', 'failed']).toContain(found?.state);
    return found;
  }, pollTimeout);
  // Charges that are found are kept, others are a definite failure, and nothing else was sent.
  if (before > 0) expect(attempt?.state).toBe('active');
  expect(unrefunded(fakes.captured())).toHaveLength(attempt?.state === 'active' ? 1 : 0);
  if (ms >= 10 * minuteMs) {
    expect(fakes.captured()).toHaveLength(before);
    // A payment found at Braintree gets its renewals, which charge nothing now.
    expect(late).toEqual(gateway === 'braintree' && before > 0 ? ['subscriptions'] : []);
  }
});
