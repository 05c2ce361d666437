import { type Env, isProduction } from '../../env.ts';
import { pixelSuffix } from '../rules/conversion.ts';
import { googleAnalytics } from './google-analytics.ts';
import { meta } from './meta.ts';
import { tiktok } from './tiktok.ts';
import type { AdNetwork } from './types.ts';

export function configuredNetworks(env: Env): AdNetwork[] {
  const suffix = pixelSuffix(isProduction(env));
  const open = (
    make: (id: string, secret: string, suffix: string) => AdNetwork,
    id: string | undefined,
    secret: string | undefined,
  ) => (id && secret ? [make(id, secret, suffix)] : []);
  return [
    ...open(meta, env.META_PIXEL_ID, env.META_TOKEN),
    ...open(tiktok, env.TIKTOK_PIXEL_ID, env.TIKTOK_TOKEN),
    ...open(googleAnalytics, env.GOOGLE_ANALYTICS_ID, env.GOOGLE_ANALYTICS_SECRET),
  ];
}
