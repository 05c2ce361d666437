import { expect, test } from 'vitest';
import { deviceOf, sourceOf } from '../../../../worker/visitor/rules/traffic.ts';

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'ios'],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)', 'ios'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'desktop'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'desktop'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'desktop'],
  ['', 'other'],
])('traffic: the browser %j is on a device of the kind %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

test.each([
  [{}, ''],
  [{ utm_source: 'Facebook_Mobile_Feed' }, 'other'],
  [{ utm_source: 'FB' }, 'meta'],
  [{ utm_source: 'google-ads' }, 'google'],
  [{ utm_source: 'my-google' }, 'other'],
  [{ utm_source: 'E-Mail' }, 'email'],
  [{ utm_source: 'xing' }, 'other'],
  [{ gclid: '1' }, 'google'],
  [{ fbclid: '1', gclid: '1' }, 'meta'],
  [{ utm_source: 'tiktok', fbclid: '1' }, 'tiktok'],
  [{ fbclid: '' }, ''],
])('traffic: a visit with the query %o comes from %j', (query, source) => {
  expect(sourceOf(query as Record<string, string>)).toBe(source);
});
