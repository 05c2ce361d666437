import type { Context } from '../config/context.ts';
import { liveManifest } from './published.ts';
import { versionsOf } from './versions.ts';

/** Says what was published when and by whom, newest first, and which of it is live. */
export async function history({ kv, say }: Pick<Context, 'kv' | 'say'>): Promise<void> {
  const versions = await versionsOf(kv);
  const live = await liveManifest(kv);
  for (const { timestamp, who, files } of versions) {
    const mark = timestamp === live.timestamp ? '  (live)' : '';
    say(`${timestamp}  ${new Date(timestamp).toISOString()}  ${who}  ${files.join(', ')}${mark}`);
  }
  if (versions.length === 0) say('Nothing was published yet.');
}
