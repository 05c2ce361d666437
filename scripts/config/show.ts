import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemsOf } from '../../worker/experiments/rules/config-validation.ts';
import { CommandError } from '../command-error.ts';
import type { Context } from './context.ts';
import { documentKeys, liveTexts, type Texts } from './texts.ts';
import { linesOf, pairOf } from './versions.ts';

/** A document as people read it; as it is when it is not JSON. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function save(texts: Texts, folder: string, say: Context['say']): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const key of documentKeys) {
    const text = texts[key];
    if (text === null) continue;
    const file = join(folder, key);
    await writeFile(file, `${pretty(text)}\n`, { flag: 'wx' }).catch(() => {
      throw new CommandError(`${file} can not be written, or is there already.`);
    });
    say(`Written: ${file}`);
  }
}

/**
 * Says both documents as they are live, and which version they are.
 *
 * @param to folder into which they are written instead, to be edited there
 */
export async function show(to: string | undefined, { kv, say }: Context): Promise<void> {
  const [texts, lines] = await Promise.all([liveTexts(kv), linesOf(kv)]);
  const line = lines.find(({ pair }) => pair === pairOf(texts));
  say(
    line
      ? `version ${line.version}, published ${line.time} by ${line.who}`
      : 'version: none, this pair was not written by publish',
  );
  const problems = problemsOf(texts['config.json'], texts['flows.json']);
  if (problems.length > 0) say('This pair is not valid: visitors have an earlier one.');
  if (to !== undefined) return save(texts, to, say);
  for (const key of documentKeys) {
    const text = texts[key];
    say(`\n${key}`);
    say(text === null ? 'missing' : pretty(text));
  }
}
