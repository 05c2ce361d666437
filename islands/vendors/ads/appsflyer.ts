import { mergeEventsData } from '../../stores/events.ts';
import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

interface Page extends Window {
  AF_SMART_SCRIPT?: {
    generateOneLinkURL(options: object): { clickURL?: string } | null;
  };
}

/** Query parameters passed to OneLink (dev.appsflyer.com/hc/docs/dl_smart_script_v2). */
const afParameters = {
  mediaSource: { keys: ['utm_source'], defaultValue: 'web' },
  campaign: { keys: ['utm_campaign'], defaultValue: 'none' },
  googleClickIdKey: 'af_sub1',
  afCustom: [
    { paramKey: 'af_sub2', keys: ['fbclid'] },
    { paramKey: 'af_sub3', keys: ['ttclid'] },
    { paramKey: 'af_sub4', keys: ['gbraid'] },
    { paramKey: 'af_sub5', keys: ['wbraid'] },
  ],
};

export function oneLink(oneLinkURL: string, { at }: PixelTools): Pixel {
  return {
    name: 'onelink',
    async load() {
      await loadScript(at('onelinksmartscript.appsflyer.com/onelink-smart-script-latest.js'));
      const { AF_SMART_SCRIPT: script }: Page = window;
      const url = script?.generateOneLinkURL({ oneLinkURL, afParameters })?.clickURL;
      if (url?.startsWith(oneLinkURL)) mergeEventsData({ AF_SMART_SCRIPT: url });
    },
  };
}

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
