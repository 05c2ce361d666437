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

/** Full minutes, as in the form. */
const isoTime = (time: number) => new Date(time - (time % minuteMs)).toISOString();

type Outcome = Pick<Partial<Experiment>, 'ends' | 'winner' | 'share' | 'rolled_out'>;

/** `experiments.json` with other fields of one experiment; undefined ones are removed. */
export function withOutcome(
  document: string | null | undefined,
  id: string,
  outcome: { [Name in keyof Outcome]: Outcome[Name] | undefined },
): string {
  const { experiments, ...others } = objectIn(document) ?? {};
  const all: { id?: string }[] = Array.isArray(experiments) ? experiments : [];
  const next = all.map((each) => (each.id === id ? { ...each, ...outcome } : each));
  return JSON.stringify({ ...others, experiments: next }, null, 2);
}

/** Everybody sees the control from now on, and nobody counts. */
export const ended = (document: string | null | undefined, id: string, now: number): string =>
  withOutcome(document, id, { ends: isoTime(now) });

export const continued = (document: string | null | undefined, id: string): string =>
  withOutcome(document, id, { ends: undefined });

export interface RollOut {
  documents: Documents;
  /** Texts to publish first, by language. */
  texts: Readonly<Record<string, FlatTexts>>;
  /** What happens, in order. */
  sentences: string[];
}

const textSentences = (texts: NonNullable<Changes['texts']>) =>
  Object.entries(texts).flatMap(([language, own]) =>
    Object.values(own).map(
      (text) => `Everybody who reads ${languageName(language)} will see: “${text}”`,
    ),
  );

/** Whether a variant can become part of what everybody sees: no document has a theme. */
export const isForEverybody = ({ theme }: Changes): boolean => theme === undefined;

/**
 * Ends an experiment with a winner: its changes become part of the published documents, or stay with the visitors
 * whom it admits.
 * @param documents the live ones @param now ms since 1970
 */
export function rolledOut(
  documents: Documents,
  experiment: Experiment,
  { winner, everybody, now }: { winner: string; everybody: boolean; now: number },
): RollOut {
  const { id, variants, layer, ends } = experiment;
  const changes = variants.find(({ key }) => key === winner)?.changes ?? {};
  const { flow, offer, texts = {} } = changes;
  const isOver = ends !== undefined && Date.parse(ends) <= now;
  const end = { winner, ends: isOver ? ends : isoTime(now) };
  const document = documents['experiments.json'];
  const closing = `The test “${id}” ends, and nobody counts any more. The variants stay in its preview.`;
  if (Object.keys(changes).length === 0) {
    const text = withOutcome(document, id, end);
    const sentence = 'Everybody sees what visitors see without the test.';
    return {
      documents: { ...documents, 'experiments.json': text },
      texts: {},
      sentences: [sentence, closing],
    };
  }
  if (!everybody || !isForEverybody(changes)) {
    const share = layer === undefined ? { share: 100 } : {};
    const who = whoText({ ...experiment, ...share });
    return {
      documents: {
        ...documents,
        'experiments.json': withOutcome(document, id, { ...end, ...share }),
      },
      texts: {},
      sentences: [`“${winner}” stays for ${who}; everybody else sees the control.`, closing],
    };
  }
  const config = documents['config.json'] ?? '{}';
  const arms: string[] = (JSON.parse(config).variants ?? []).map(({ key }: { key: string }) => key);
  const outcome = { ...end, rolled_out: isoTime(now + handOverMs) };
  const isMoved = flow !== undefined || offer !== undefined;
  return {
    documents: {
      ...documents,
      'experiments.json': withOutcome(document, id, outcome),
      ...(isMoved && { 'config.json': withChanges(config, arms, changes) }),
    },
    texts,
    sentences: [
      ...textSentences(texts),
      ...(flow ? [`Every variant of the split gets the flow “${flow}”.`] : []),
      ...(offer ? [`Every variant of the split sells what “${offer}” sells.`] : []),
      ...(Object.keys(texts).length > 0
        ? [
            'The texts are published first, then the end of the test; visitors of the winner see the same words all the time.',
          ]
        : []),
      closing,
    ],
  };
}
