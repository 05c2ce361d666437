import { bundled } from '../bundled.ts';

const files: Record<string, string> = {
  'connect.facebook.net/en_US/fbevents.js': 'meta',
  'analytics.tiktok.com/i18n/pixel/events.js': 'tiktok',
  'www.googletagmanager.com/gtag/js': 'gtag',
  'www.clarity.ms/tag/heatmap_fake': 'clarity',
  'websdk.appsflyer.com/': 'appsflyer',
};

/** A network's script; null for an address that is none. */
export async function scripts({ hostname, pathname }: URL): Promise<Response | null> {
  const name = files[hostname + pathname];
  if (!name) return null;
  const script = await bundled(new URL(`browser/${name}.ts`, import.meta.url));
  return new Response(script, { headers: { 'content-type': 'text/javascript' } });
}
