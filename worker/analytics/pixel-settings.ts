import { type Env, isProduction } from '../env.ts';
import type { PixelSettings } from '../page-types.ts';
import { pixelSuffix } from './rules/conversion.ts';

/** In production Google Ads imports conversions, so its tag counts none there (specification, section 7). */
export function pixelSettings(env: Env): PixelSettings | null {
  const { GOOGLE_ADS_ID: ads, GOOGLE_ANALYTICS_ID: analytics } = env;
  const production = isProduction(env);
  const label = production ? undefined : env.GOOGLE_ADS_LABEL;
  const configured = {
    meta: env.META_PIXEL_ID,
    tiktok: env.TIKTOK_PIXEL_ID,
    google: ads || analytics ? { ads, label, analytics } : undefined,
    heatmap: env.CLARITY_ID,
    appsflyer: env.APPSFLYER_KEY,
    onelink: env.APPSFLYER_ONELINK,
  };
  if (!Object.values(configured).some(Boolean)) return null;
  return { vendors: env.FAKES_URL ?? '', suffix: pixelSuffix(production), ...configured };
}
