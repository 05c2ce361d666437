import murmurhash from 'murmurhash';

/** One arm of a split test: `type` or `type/subtype`, its share in percent, its flow. */
export interface Variant {
  key: string;
  weight: number;
  flow: string;
}

/** The paywall type, and the flow, of a visitor who takes part in no test. */
export const defaultType = 'fullPrice';
export const defaultFlowName = 'default';

/**
 * Where a visitor falls in an experiment: a number of two decimals in [0, 100), the same for ever
 * for the same pair. murmur3, because plain FNV-1a correlates two experiments.
 */
export function bucketOf(experiment: string, uuid: string): number {
  return (murmurhash.v3(`${experiment}:${uuid}`) % 10_000) / 100;
}

/**
 * The arm whose cumulative range holds the draw.
 *
 * @param variants weights in percent that add up to 100
 * @param at a draw in [0, 100)
 */
export function pickVariant(variants: readonly Variant[], at: number): Variant | null {
  let upTo = 0;
  for (const variant of variants) {
    // In hundredths, because 0.1 + 0.2 would move a border.
    upTo += Math.round(variant.weight * 100);
    if (Math.round(at * 100) < upTo) return variant;
  }
  return null;
}

/** The paywall type of a variant key: `intro` of `intro/7d`. */
export function typeOf(key: string): string {
  return key.split('/', 1)[0] ?? key;
}

/** `split_type` or `split_type_subtype`. */
export function landingTypeOf(key: string): string {
  return `split_${key.replace('/', '_')}`;
}
