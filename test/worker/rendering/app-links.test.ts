import { expect, test } from 'vitest';
import { missingApp } from '../../../worker/rendering/app-links.ts';
import { request } from '../request.ts';

const apple = '/.well-known/apple-app-site-association';
const android = '/.well-known/assetlinks.json';
const ids = {
  APPLE_APP_IDS: 'TEAM1.com.example.app, TEAM1.com.example.beta',
  ANDROID_PACKAGE: 'com.example.app',
  ANDROID_FINGERPRINTS: 'AA:BB, CC:DD',
};

test('app links: iOS gets the apps and the path /d', async () => {
  const response = await request(apple, {}, ids);
  expect(response.headers.get('content-type')).toContain('application/json');
  const appIDs = ['TEAM1.com.example.app', 'TEAM1.com.example.beta'];
  expect(await response.json()).toEqual({
    applinks: { details: [{ appIDs, components: [{ '/': '/d' }] }] },
  });
});

test('app links: Android gets the package and its fingerprints', async () => {
  expect(await (await request(android, {}, ids)).json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.app',
        sha256_cert_fingerprints: ['AA:BB', 'CC:DD'],
      },
    },
  ]);
});

test.each([
  [apple, {}],
  [android, {}],
  [android, { ANDROID_PACKAGE: 'com.example.app' }],
])('app links: %s with %j is 404', async (path, more) => {
  expect((await request(path, {}, more)).status).toBe(404);
});

test('app links: missing variables are listed', () => {
  const stores = { APP_STORE_URL: 'https://apps.example/a', GOOGLE_PLAY_URL: '' };
  expect(missingApp({ ...ids, ...stores })).toEqual(['GOOGLE_PLAY_URL']);
});
