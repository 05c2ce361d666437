import type { Documents } from '../../../documents/document-set.ts';
import { builtInDocuments } from '../../../experiments/rules/config-documents.ts';
import type { Variant } from '../../../experiments/rules/split.ts';
import { objectIn } from '../../../platform/read-json.ts';

/** What the experiment's form contains. A variant without a key is left out, which removes it. */
export interface ExperimentForm {
  experiment: string;
  variants: Variant[];
}

const configIn = (texts: Documents): { experiment?: unknown; variants?: unknown } =>
  objectIn(texts['config.json']) ?? JSON.parse(builtInDocuments['config.json']);

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The form for the live documents, or for the built-in ones if they cannot be parsed. */
export function formOf(texts: Documents): ExperimentForm {
  const { experiment, variants } = configIn(texts);
  const rows: Partial<Variant>[] = Array.isArray(variants) ? variants : [];
  return {
    experiment: textOf(experiment),
    variants: rows.map((row) => ({
      key: textOf(row?.key),
      weight: Number(row?.weight),
      flow: textOf(row?.flow),
    })),
  };
}

/** An arm that a guardrail stopped stays stopped until somebody gives it a weight. */
export function applyForm(texts: Documents, { experiment, variants }: ExperimentForm): Documents {
  const before = configIn(texts);
  const rows: Partial<Variant>[] = Array.isArray(before.variants) ? before.variants : [];
  const all = variants.map((variant) => {
    const { stopped } = rows.find((row) => row?.key === variant.key) ?? {};
    return stopped && variant.weight === 0 ? { ...variant, stopped } : variant;
  });
  const config = { ...before, experiment, variants: all };
  const flows = texts['flows.json'] ?? builtInDocuments['flows.json'];
  return { ...texts, 'flows.json': flows, 'config.json': JSON.stringify(config, null, 2) };
}

/** The form with one variant for all new visitors. Earlier visitors keep theirs. */
export const shipped = (form: ExperimentForm, key: string): ExperimentForm => ({
  ...form,
  variants: form.variants.map((variant) => ({ ...variant, weight: variant.key === key ? 100 : 0 })),
});

const percent = (weight: number) => `${Number(weight.toFixed(2))}%`;

/** The effect of renaming the experiment: every visitor is assigned again. */
export function reassignmentWarning({ variants }: ExperimentForm): string {
  const shares = variants.filter(({ weight }) => weight > 0);
  const assigned = shares.map(({ key, weight }) => `${percent(weight)} “${key}”`).join(', ');
  return `All visitors, including returning ones, are assigned again: ${assigned}.`;
}

/** The variant affected by a change: a new one or one with another flow, otherwise one that gains visitors. */
export function changedVariant(
  before: readonly Variant[],
  after: readonly Variant[],
): string | undefined {
  const old = (key: string) => before.find((variant) => variant.key === key);
  const rebuilt = after.find(({ key, flow }) => old(key)?.flow !== flow);
  const grown = (one: Variant) =>
    before.some(({ key, weight }) => key === one.key && one.weight > weight);
  return (rebuilt ?? after.find(grown))?.key;
}

interface Share {
  key: string;
  flow: string;
  weight: number;
}

/** In hundredths of a percent, because 0.1 + 0.2 is not 0.3. */
const whole = (weight: number) => Math.round(weight * 100);

/** Describes how a changed split affects new visitors, one sentence each: which variant's share goes to which, in order. */
export function shareSentences(before: readonly Variant[], after: readonly Variant[]): string[] {
  const weightIn = (all: readonly Variant[], key: string) =>
    whole(all.find((variant) => variant.key === key)?.weight ?? 0);
  const keys = [...new Set([...before, ...after].map(({ key }) => key))];
  const changes = keys.map((key) => ({
    key,
    change: weightIn(after, key) - weightIn(before, key),
  }));
  const losing = changes.filter(({ change }) => change < 0).map((each) => ({ ...each }));
  const sentences: string[] = [];
  for (const { key, change } of changes) {
    let missing = change;
    for (const source of losing) {
      const moved = Math.min(missing, -source.change);
      if (moved <= 0) continue;
      source.change += moved;
      missing -= moved;
      sentences.push(
        `${percent(moved / 100)} of new visitors will see “${key}” instead of “${source.key}”.`,
      );
    }
  }
  const flows = after.flatMap(({ key, flow, weight }: Share) => {
    const old = before.find((variant) => variant.key === key);
    return old && old.flow !== flow && weight > 0
      ? [`Visitors of “${key}” will go through the flow “${flow}” instead of “${old.flow}”.`]
      : [];
  });
  return [...sentences, ...flows];
}
