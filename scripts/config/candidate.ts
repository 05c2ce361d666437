import type { Context } from './context.ts';
import { readSource, type Source } from './source.ts';
import { documentKeys, liveTexts, type Texts } from './texts.ts';

/** The documents that a person names; one that is left out stays as it is live, and that is said. */
export async function readCandidate(source: Source, { kv, say }: Context): Promise<Texts> {
  const texts = await readSource(source);
  const left = documentKeys.find((key) => texts[key] === null);
  if (!left) return texts;
  say(`${left}: not given, taken as it is live.`);
  return { ...texts, [left]: (await liveTexts(kv))[left] };
}
