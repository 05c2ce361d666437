import murmurhash from 'murmurhash';

/** One encoder for all hashes; the package would create one for each. */
const encoder = new TextEncoder();

/** One arm of a split test: `type` or `type/subtype`, its share in percent, its flow. */
export interface Variant {
  key: string;
  weight: number;
  flow: string;
  /** By a guardrail (`guardrails.ts`). */
  stopped?: { at: string; guardrail: string; weight: number } | undefined;
}

export const defaultType = 'fullPrice';
export const defaultFlowName = 'default';

/** Two decimals in [0, 100). murmur3, because plain FNV-1a correlates two experiments. */
export function bucketOf(experiment: string, uuid: string): number {
  return (murmurhash.v3(encoder.encode(`${experiment}:${uuid}`)) % 10_000) / 100;
}

/** @param variants weights in percent that add up to 100 @param bucket in [0, 100) */
export function pickVariant<Arm extends { weight: number }>(
  variants: readonly Arm[],
  bucket: number,
): Arm | null {
  let upperBound = 0;
  for (const variant of variants) {
    // Integers, because 0.1 + 0.2 would move a boundary.
    upperBound += Math.round(variant.weight * 100);
    if (Math.round(bucket * 100) < upperBound) return variant;
  }
  return null;
}

export function typeOf(key: string): string {
  return key.split('/')[0] ?? key;
}

export function landingTypeOf(key: string): string {
  return `split_${key.replace('/', '_')}`;
}
