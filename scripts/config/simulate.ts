import { createHash } from 'node:crypto';
import { readLive } from '../../worker/documents/live-documents.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { bucketOf, pickVariant, type Variant } from '../../worker/experiments/rules/split.ts';
import { fitsWeights } from '../../worker/experiments/rules/statistics.ts';
import { type Context, requireValid, type Source } from '../versioned-documents.ts';
import { readCandidate } from './documents.ts';

function uuidOf(seed: string, visitor: number): string {
  const hex = createHash('sha256').update(`${seed}:${visitor}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function countByArm(
  experiment: string,
  variants: readonly Variant[],
  visitors: number,
  seed: string,
): number[] {
  const counts = new Map(variants.map((variant) => [variant, 0]));
  for (let visitor = 0; visitor < visitors; visitor++) {
    const arm = pickVariant(variants, bucketOf(experiment, uuidOf(seed, visitor)));
    if (arm) counts.set(arm, (counts.get(arm) ?? 0) + 1);
  }
  return [...counts.values()];
}

export async function simulate(
  source: Source,
  { visitors, seed }: { visitors: number; seed: string },
  context: Context,
): Promise<void> {
  const { print, kv } = context;
  const isGiven = Object.values(source).some(Boolean);
  const texts = isGiven
    ? await readCandidate(source, context)
    : (await readLive(kv, configSet)).documents;
  requireValid(configSet, texts, print);
  const { experiment, variants } = readDocuments(texts);
  const counts = countByArm(experiment, variants, visitors, seed);
  print(`${visitors} visitors of ${experiment}, seed ${seed}`);
  variants.forEach(({ key, weight, flow }, i) => {
    const count = counts[i] ?? 0;
    const share = ((100 * count) / visitors).toFixed(2);
    print(`arm ${key} (flow ${flow}): weight ${weight} %, assigned ${share} % (${count})`);
  });
  const weights = variants.map(({ weight }) => weight);
  const p = fitsWeights(counts, weights);
  const verdict =
    p < 0.001 ? 'the shares do not follow the weights' : 'the shares follow the weights';
  print(`chi-squared p = ${p.toFixed(4)}: ${verdict}`);
}
