import type { Context } from './context.ts';
import { liveTexts } from './texts.ts';
import { linesOf, pairOf } from './versions.ts';

/** Says what was published when and by whom, newest first, and which of it is live. */
export async function history({ kv, say }: Context): Promise<void> {
  const lines = await linesOf(kv);
  const live = pairOf(await liveTexts(kv));
  const current = lines.find(({ pair }) => pair === live);
  for (const line of lines) {
    say(`${line.version}  ${line.time}  ${line.who}${line === current ? '  (live)' : ''}`);
  }
  if (lines.length === 0) say('Nothing was published yet.');
}
