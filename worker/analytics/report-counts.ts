import { build } from 'virtual:client';
import type { Context } from 'hono';
import type { App, Env } from '../platform/env.ts';
import { logger } from '../platform/log.ts';
import { unanswered } from '../platform/unanswered.ts';
import type { CountInput, Segment } from './rules/count.ts';

const log = logger();

/** The shard for counts without a visitor. */
export const countShard = 'counts';

export const workerVersion = ({ CF_VERSION_METADATA }: Env): string =>
  CF_VERSION_METADATA?.id ?? build;

export function segmentOf(c: Context<App>): Segment {
  const { flowName: flow, experiment, arm: variant, landing } = c.var.assignment;
  const { country, language, device, source } = c.var.visitor;
  return {
    ...{ flow, experiment: experiment ?? '', variant },
    ...{ country, language, device, source, landing },
  };
}

/** Each id counts once, so a failed call can be repeated. @throws when neither the queue nor the shard accepts them */
export async function reportCounts(env: Env, counts: CountInput[]): Promise<void> {
  try {
    await env.EVENT_QUEUE.send({ counts });
  } catch (error) {
    unanswered(log, 'EVENT_QUEUE', null)(error);
    await env.EVENT_SHARDS.getByName(countShard).append([], counts);
  }
}
