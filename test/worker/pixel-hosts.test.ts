import { expect, test } from 'vitest';
import { policyOf } from '../../worker/policy.ts';

const bare = { vendors: '', suffix: '' };
const sources = (policy: string, directive: string) =>
  new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? [];

test('a network is admitted only when it is configured', () => {
  const meta = policyOf('ordinary', false, { ...bare, meta: '1' });
  expect(sources(meta, 'script-src')).toContain('https://connect.facebook.net');
  expect(sources(meta, 'img-src')).toEqual(["'self'", 'data:', 'https://www.facebook.com']);
  expect(meta).not.toMatch(/tiktok|google-analytics|clarity|appsflyer/);
  expect(policyOf('ordinary', false, bare)).toBe(policyOf('ordinary', false));
});

test('with all of them no script may be inline or from everywhere, and no card is beside them', () => {
  const all = {
    meta: '1',
    tiktok: '1',
    google: { ads: '1' },
    heatmap: '1',
    appsflyer: '1',
    onelink: '1',
  };
  const policy = policyOf('ordinary', false, { ...bare, ...all });
  for (const host of sources(policy, 'script-src')) {
    expect(host).toMatch(/^('self'|'inline-speculation-rules'|https:\/\/[\w.-]+(\/\S+)?)$/);
  }
  expect(policyOf('payment', false, { ...bare, ...all })).toBe(policyOf('payment', false));
});
