import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

/** AppsFlyer's web script: it gives the browser an id by which the app is known to follow the ad. */
export function appsflyer(key: string, { at }: PixelTools): Pixel {
  return {
    name: 'appsflyer',
    load() {
      const page = window as { AF?: { id: object }; AppsFlyerSdkObject?: string };
      page.AppsFlyerSdkObject = 'AF';
      const q: unknown[][] = [];
      const wait = (...call: unknown[]) => void q.push([Date.now(), ...call]);
      page.AF ??= Object.assign(wait, { q, id: { pba: { webAppId: key } } });
      return loadScript(at('websdk.appsflyer.com/?st=pba'));
    },
  };
}
