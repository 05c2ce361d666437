import type { Context } from 'hono';
import type { App, Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';

const names = [
  'APP_STORE_URL',
  'GOOGLE_PLAY_URL',
  'APPLE_APP_IDS',
  'ANDROID_PACKAGE',
  'ANDROID_FINGERPRINTS',
] as const satisfies (keyof Env)[];

export function missingApp(vars: Readonly<Record<string, unknown>>): string[] {
  return names.filter((name) => !vars[name]);
}

const list = (ids: string) => ids.split(',').map((id) => id.trim());

/** iPhone apps that open `/d` links (developer.apple.com, applinks). */
export const appleAssociation = (c: Context<App>) => {
  const { APPLE_APP_IDS: ids } = c.env;
  if (!ids) throw new Refusal('not_found');
  return c.json({ applinks: { details: [{ appIDs: list(ids), components: [{ '/': '/d' }] }] } });
};

/** Android apps that open `/d` links (developer.android.com, app links). */
export const androidAssociation = (c: Context<App>) => {
  const { ANDROID_PACKAGE: package_name, ANDROID_FINGERPRINTS: fingerprints } = c.env;
  if (!package_name || !fingerprints) throw new Refusal('not_found');
  const sha256_cert_fingerprints = list(fingerprints);
  const target = { namespace: 'android_app', package_name, sha256_cert_fingerprints };
  return c.json([{ relation: ['delegate_permission/common.handle_all_urls'], target }]);
};
