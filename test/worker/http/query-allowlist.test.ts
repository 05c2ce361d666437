import { expect, test } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import { allowedQuery, appDomains, isAllowedValue } from '../../../worker/http/query-allowlist.ts';

const env = { ENVIRONMENT: 'test', APP_DOMAINS: ' app.example.com, Other.example ,' } as Env;

test('query allow-list: app domains are comma-separated', () => {
  expect(appDomains(env)).toEqual(['app.example.com', 'other.example']);
  expect(appDomains({})).toEqual([]);
});

test.each([
  ['appDomain', 'app.example.com'],
  ['appDomain', 'OTHER.example'],
  ['utm_content', '23851234567890123456'],
  ['utm_campaign', 'Spring sale 2026-11-21'],
  ['fbclid', 'IwAR2x-0AbC_1234567890'],
  ['utm_id', '120210334455667'],
])('query allow-list: %s=%s is allowed', (name, value) =>
  expect(isAllowedValue(name, value, env)).toBe(true),
);

test.each([
  ['appDomain', 'evil.example'],
  ['appDomain', 'app.example.com.evil.example'],
  ['appDomain', 'app.example.com/x'],
  ['appDomain', ''],
  ['utm_content', 'ada@example.com'],
  ['utm_term', 'ada%2540example.com'],
  ['utm_term', '+1 212-555-0100'],
  ['fbclid', '4915112345678'],
  ['email', 'ada@example.com'],
  ['ada@example.com', ''],
])('query allow-list: %s=%s is not allowed', (name, value) =>
  expect(isAllowedValue(name, value, env)).toBe(false),
);

test('query allow-list: a form’s query follows the same rules', () => {
  const referer = 'http://localhost/one_pager?gclid=1&utm_term=ada%40example.com&appDomain=evil';
  const request = new Request('http://localhost/one_pager', {
    method: 'POST',
    headers: { referer },
  });
  expect(allowedQuery(request, env)).toEqual({ gclid: '1' });
});
