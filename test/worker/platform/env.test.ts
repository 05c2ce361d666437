import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { type Env, isProduction } from '../../../worker/platform/env.ts';
import source from '../../../worker/platform/env.ts?raw';
import page from '../../../worker/variables.md?raw';

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
    'ANALYTICS',
    'EVENTS',
    'PURCHASES',
    'INVITATIONS',
    'SMS_LIMITER',
    'CARD_LIMITER',
    'MONITOR',
    'CF_VERSION_METADATA',
    'POST_RATE_LIMIT',
    'SIGNUP_RATE_LIMIT',
    'REPORT_RATE_LIMIT',
    'ASSETS',
  ];
  for (const name of bindings) expect([name, typeof env[name]]).toEqual([name, 'object']);
});

test('env: the page for deployers explains every binding and variable, and no other', () => {
  const declared = [...source.matchAll(/^ {2}([A-Z_]+)\??:/gm)].map(([, name]) => name);
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const explained = rows.flatMap((row) => [
    ...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g),
  ]);
  expect(explained.map(([, name]) => name).sort()).toEqual(declared.sort());
});
