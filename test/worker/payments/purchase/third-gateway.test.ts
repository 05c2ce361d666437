import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gatewayNames } from '../../../../worker/catalog/rules/gateway-names.ts';
import { gatewayOf, gateways, isConfigured } from '../../../../worker/payments/gateways/index.ts';
import {
  applyOutcome,
  nextStep,
  resumeAfterChallenge,
} from '../../../../worker/payments/purchase/attempt.ts';
import { canBeCancelled } from '../../../../worker/payments/purchase/failover.ts';
import type { Gateway } from '../../../../worker/payments/purchase/gateway.ts';
import { gatewayTraits } from '../../../../worker/payments/purchase/gateway-traits.ts';
import type { Attempt, GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { Env } from '../../../../worker/platform/env.ts';

test('only the gateways’ own folders compare with a gateway’s name', () => {
  const names = gatewayNames.join('|');
  const name = `['"\`](${names})['"\`]`;
  const comparison = new RegExp(
    `([!=]==?|\\?\\?|\\|\\|)\\s*${name}|${name}\\s*([!=]==?|\\)?\\s*\\?)|case ${name}|` +
      `\\b(isConfigured|includes|picklist)\\(\\[?${name}|\\b(gateway|provider) = ${name}|\\bis(${names})\\b`,
    'i',
  );
  const own = new RegExp(`^(worker/payments/gateways|islands/vendors/(${names}))/`);
  const sources = globSync('{worker,islands,screens,scripts}/**/*.{ts,tsx,mjs,sql}');
  const found = sources
    .filter((file) => !own.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => comparison.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

/** It repeats charges as Stripe does, and verifies cards as Braintree does. */
const third = 'third' as GatewayName;
const gateway: Partial<Gateway> = { fingerprint: async (nonce) => `of ${nonce}` };
Object.assign(gatewayTraits, {
  [third]: {
    ...gatewayTraits.stripe,
    title: 'Third',
    verifiesBeforeCharge: true,
    redirects: false,
  },
});
Object.assign(gateways, {
  [third]: { isConfigured: () => true, gateway: async () => gateway },
});

test('a third gateway is called, not one of the others', async () => {
  const env: Partial<Env> = {};
  expect(isConfigured(third, env as Env)).toBe(true);
  const called = await gatewayOf(third, env as Env);
  expect(await called.fingerprint('nonce')).toBe('of nonce');
});

test('an unknown gateway is refused, not taken for another', () => {
  const unknown = 'unknown' as GatewayName;
  expect(() => gatewayOf(unknown, {} as Env)).toThrow(TypeError);
});

test('a third gateway’s attempts follow its traits, of which each has its own value', () => {
  const attempt: Partial<Attempt> = {
    gateway: third,
    state: 'sent',
    nonce: 'nonce',
    challengedNonce: null,
    openedAt: 0,
    chargedAt: 0,
    tries: 0,
    rounds: 2,
    version: 1,
  };
  const sent = attempt as Attempt;
  expect(nextStep(sent, 1)).toBe('charge');
  expect(canBeCancelled('charge', sent)).toBe(true);
  const challenge = { kind: 'challenge', paymentId: null, secret: 'verify' } as const;
  expect(applyOutcome(sent, challenge, 1).state).toBe('failed');
  const challenged = applyOutcome({ ...sent, rounds: 0 }, challenge, 1);
  expect(challenged.state).toBe('challenged');
  expect(resumeAfterChallenge(challenged, 'verified', 2)).toMatchObject({
    state: 'open',
    nonce: 'verified',
    challengedNonce: 'nonce',
  });
});
