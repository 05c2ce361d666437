import { bundled } from '../bundled.ts';

const files: Record<string, URL> = {
  'connect.facebook.net/en_US/fbevents.js': new URL('browser/meta.ts', import.meta.url),
  'analytics.tiktok.com/i18n/pixel/events.js': new URL('browser/tiktok.ts', import.meta.url),
  'www.googletagmanager.com/gtag/js': new URL('browser/gtag.ts', import.meta.url),
  'www.clarity.ms/tag/heatmap_fake': new URL('browser/clarity.ts', import.meta.url),
  'onelinksmartscript.appsflyer.com/onelink-smart-script-latest.js': new URL(
    'browser/onelink.ts',
    import.meta.url,
  ),
  'websdk.appsflyer.com/': new URL('browser/appsflyer.ts', import.meta.url),
};

/** A network's script; null for any other URL. */
export async function scripts({ hostname, pathname }: URL): Promise<Response | null> {
  const file = files[hostname + pathname];
  if (!file) return null;
  const headers = { 'content-type': 'text/javascript' };
  return new Response(await bundled(file), { headers });
}
