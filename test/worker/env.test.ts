import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { type Env, isProduction } from '../../worker/env.ts';

test.each([
  ['production', true],
  ['test', false],
  ['Production', false],
  ['', false],
])('env: %j is production: %s', (ENVIRONMENT, production) => {
  expect(isProduction({ ...env, ENVIRONMENT })).toBe(production);
});

test('env: every binding of wrangler.toml exists', () => {
  const bindings: (keyof Env)[] = [
    'FUNNEL',
    'DB',
    'PURCHASES',
    'INVITATIONS',
    'SMS_LIMITER',
    'CARD_LIMITER',
    'POST_RATE_LIMIT',
    'SIGNUP_RATE_LIMIT',
    'REPORT_RATE_LIMIT',
    'ASSETS',
  ];
  for (const name of bindings) expect([name, typeof env[name]]).toEqual([name, 'object']);
});
