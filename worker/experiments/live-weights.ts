import type { KVNamespace } from '@cloudflare/workers-types';
import { kvReader } from '../documents/kv.ts';
import { readLive } from '../documents/live-documents.ts';
import { readableConfig } from './readable-config.ts';
import {
  type RunningWeights,
  runningWeights,
  type StoppedArm,
  stoppedArms,
} from './rules/running-weights.ts';

export async function liveWeights(
  kv: Pick<KVNamespace, 'get' | 'getWithMetadata'>,
  now: number,
): Promise<{ weights: RunningWeights[]; stops: StoppedArm[] }> {
  const { documents } = await readLive(kvReader(kv), readableConfig);
  return {
    weights: runningWeights(documents['experiments.json'], now),
    stops: stoppedArms(documents),
  };
}
