import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

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
