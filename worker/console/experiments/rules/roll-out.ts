import type { FlatTexts } from '../../../content/rules/text-overrides.ts';
import type { Documents } from '../../../documents/document-set.ts';
import type { Changes, Experiment } from '../../../experiments/rules/experiments-schema.ts';
import { minuteMs } from '../../../platform/durations.ts';
import { objectIn } from '../../../platform/read-json.ts';
import { languageName } from '../../parts/rules/names.ts';
import { withChanges } from './changed-config.ts';
import { whoText } from './experiment-words.ts';

/** By then every isolate serves the published texts, so the variant's own ones end unnoticed. */
const handOverMs = 10 * minuteMs;

const isoTime = (time: number) => new Date(time).toISOString();

type Fields = Pick<Partial<Experiment>, 'ends' | 'winner' | 'share' | 'rolled_out'>;

/** `experiments.json` with other fields of one experiment; undefined ones are removed. */
function withOutcome(
  document: string | null | undefined,
  id: string,
  outcome: { [Name in keyof Fields]: Fields[Name] | undefined },
): string {
  const { experiments, ...others } = objectIn(document) ?? {};
  const all: { id?: string }[] = Array.isArray(experiments) ? experiments : [];
  const next = all.map((each) => (each.id === id ? { ...each, ...outcome } : each));
  return JSON.stringify({ ...others, experiments: next }, null, 2);
}

/** How an experiment ends. */
export interface Outcome {
  documents: Documents;
  /** Texts to publish first, by language. */
  texts: Readonly<Record<string, FlatTexts>>;
  /** What happens, in order. */
  sentences: string[];
}

/** Nobody counts while it is paused, and everybody sees the control. */
export function pausedOrContinued(
  documents: Documents,
  { id }: Experiment,
  { isEnd, now }: { isEnd: boolean; now: number },
): Outcome {
  const ends = isEnd ? isoTime(now) : undefined;
  const text = withOutcome(documents['experiments.json'], id, { ends });
  const sentence = isEnd
    ? `“${id}” pauses: everybody sees the control, and nobody counts.`
    : `“${id}” continues: its visitors get their variants again.`;
  return {
    documents: { ...documents, 'experiments.json': text },
    texts: {},
    sentences: [sentence],
  };
}

const textSentences = (texts: NonNullable<Changes['texts']>) =>
  Object.entries(texts).flatMap(([language, own]) =>
    Object.values(own).map(
      (text) => `Everybody who reads ${languageName(language)} will see: “${text}”`,
    ),
  );

/**
 * Ends an experiment with a winner: its changes become part of the published documents, or stay with the visitors
 * whom it admits.
 * @param documents the live ones @param now ms since 1970
 */
export function rolledOut(
  documents: Documents,
  experiment: Experiment,
  { winner, everybody, now }: { winner: string; everybody: boolean; now: number },
): Outcome {
  const { id, variants, layer, ends } = experiment;
  const changes = variants.find(({ key }) => key === winner)?.changes ?? {};
  const isOver = ends !== undefined && Date.parse(ends) <= now;
  const closing = `“${id}” ends, and nobody counts any more.`;
  const outcome = (
    more: Fields,
    sentences: string[],
    { config, texts = {} }: { config?: string; texts?: Outcome['texts'] } = {},
  ): Outcome => ({
    documents: {
      ...documents,
      ...(config !== undefined && { 'config.json': config }),
      'experiments.json': withOutcome(documents['experiments.json'], id, {
        ...{ winner, ends: isOver ? ends : isoTime(now), ...more },
      }),
    },
    texts,
    sentences: [...sentences, closing],
  });
  if (Object.keys(changes).length === 0)
    return outcome({}, ['Everybody sees what visitors see without the test.']);
  // No document has a theme.
  if (!everybody || changes.theme) {
    const share = layer === undefined ? { share: 100 } : {};
    const who = whoText({ ...experiment, ...share });
    return outcome(share, [`“${winner}” stays for ${who}; everybody else sees the control.`]);
  }
  const { flow, offer, texts } = changes;
  const config = documents['config.json'] ?? '{}';
  const arms: string[] = (JSON.parse(config).variants ?? []).map(({ key }: { key: string }) => key);
  const order =
    'The texts are published first, so the winner’s visitors see the same words all the time.';
  return outcome(
    { rolled_out: isoTime(now + handOverMs) },
    [
      ...textSentences(texts ?? {}),
      ...(flow ? [`Every variant of the split gets the flow “${flow}”.`] : []),
      ...(offer ? [`Every variant of the split sells what “${offer}” sells.`] : []),
      ...(texts ? [order] : []),
    ],
    {
      ...((flow || offer) && { config: withChanges(config, arms, changes) }),
      ...(texts && { texts }),
    },
  );
}
