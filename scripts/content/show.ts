import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { Context } from '../config/context.ts';
import { documentsOf, liveManifest } from './published.ts';

/**
 * Says the documents as they are live.
 *
 * @param to folder into which they are written instead, to be edited there
 */
export async function show(to: string | undefined, { kv, say }: Pick<Context, 'kv' | 'say'>) {
  const { timestamp, files = [] } = await liveManifest(kv);
  say(timestamp === 0 ? 'Nothing was published yet.' : `version ${timestamp}`);
  const documents = await documentsOf(kv, timestamp, files);
  if (to !== undefined) await mkdir(to, { recursive: true });
  for (const [name, text] of Object.entries(documents)) {
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    if (to === undefined) {
      say(`\n${name}.json\n${pretty}`);
      continue;
    }
    const file = join(to, `${name}.json`);
    await writeFile(file, `${pretty}\n`, { flag: 'wx' }).catch(() => {
      throw new CommandError(`${file} can not be written, or is there already.`);
    });
    say(`Written: ${file}`);
  }
}
