import { validateDocuments } from '../../worker/experiments/rules/config-validation.ts';
import { CommandError } from '../command-error.ts';
import { readCandidate } from './candidate.ts';
import { requireValid } from './check.ts';
import type { Context } from './context.ts';
import { printDifferences } from './diff-command.ts';
import type { Source } from './source.ts';
import { documentKeys, liveTexts, type Texts } from './texts.ts';
import { pairOf, prefix, versionAt } from './versions.ts';

/** The order in which a visitor in between meets a valid pair, when there is one. */
export function orderOf(live: Texts, next: Texts): (keyof Texts)[] {
  const configFirst =
    validateDocuments(next['config.json'], live['flows.json'], true).pair !== null;
  return configFirst ? [...documentKeys] : documentKeys.toReversed();
}

/** Writes the pair into the history, then where visitors get it. */
async function write(live: Texts, next: Texts, { kv, now, who }: Context): Promise<string> {
  const time = now();
  const line = { version: versionAt(time), time: time.toISOString(), who };
  const { version: _, ...noted } = { ...line, pair: pairOf(next) };
  const history = JSON.stringify({ ...line, documents: next }, null, 2);
  const steps: [string, () => Promise<void>][] = [
    [prefix + line.version, () => kv.put(prefix + line.version, history, { metadata: noted })],
    ...orderOf(live, next).map((key): (typeof steps)[number] => [
      key,
      () => kv.put(key, next[key] ?? ''),
    ]),
  ];
  const written: string[] = [];
  for (const [key, put] of steps) {
    try {
      await put();
    } catch (error) {
      const done = written.join(', ') || 'nothing';
      const open = steps.slice(written.length).map(([each]) => each);
      throw new CommandError(
        `${(error as Error).message}\nWritten: ${done}. Not written: ${open.join(', ')}.`,
      );
    }
    written.push(key);
  }
  return line.version;
}

/** Checks, compares, asks, and writes. */
export async function publishTexts(
  next: Texts,
  options: { yes: boolean },
  context: Context,
): Promise<void> {
  const { say } = context;
  const pair = requireValid(next, say);
  const live = await liveTexts(context.kv);
  if (pairOf(live) === pairOf(next)) {
    say('This is live already; nothing was written.');
    return;
  }
  printDifferences(live, pair, say);
  const where = context.remote ? 'on the live site' : 'on this machine';
  if (!options.yes && !(await context.confirm(`Publish this ${where}?`))) {
    throw new CommandError('Nothing was written.');
  }
  const version = await write(live, next, context);
  const soon = context.remote ? 'about a minute' : 'a few seconds';
  say(`Published as ${version} ${where}; visitors have it within ${soon}.`);
}

/** Publishes the documents that a person names. */
export async function publish(
  source: Source,
  options: { yes: boolean },
  context: Context,
): Promise<void> {
  await publishTexts(await readCandidate(source, context), options, context);
}
