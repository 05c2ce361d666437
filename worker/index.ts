import type {
  DurableObjectNamespace,
  ExecutionContext,
  MessageBatch,
  ScheduledController,
} from '@cloudflare/workers-types';
import { EventShard } from './analytics/event-shard-object.ts';
import { app, ownRoutes } from './app.ts';
import { Invitee } from './invitations/invitee-object.ts';
import { SmsLimiter } from './invitations/sms/sms-limiter-object.ts';
import { GatewayCircuit } from './monitoring/gateway-circuit-object.ts';
import { Monitor } from './monitoring/monitor-object.ts';
import { CardLimiter } from './payments/fraud/card-limiter-object.ts';
import { Purchases } from './payments/purchases-object.ts';
import { withBindingTimeouts } from './platform/binding-timeouts.ts';
import type { Env } from './platform/env.ts';
import { logger, reasonOf } from './platform/log.ts';
import { reportToMonitor } from './platform/log-counts.ts';

declare module './platform/env.ts' {
  interface Env {
    PURCHASES: DurableObjectNamespace<Purchases>;
    /** One object per invitee, which alone stores their answers and location. */
    INVITATIONS: DurableObjectNamespace<Invitee>;
    /** One object for the day's counts, and sixteen by hash for suspensions. */
    SMS_LIMITER: DurableObjectNamespace<SmsLimiter>;
    CARD_LIMITER: DurableObjectNamespace<CardLimiter>;
    /** One object per gateway, by its name. */
    GATEWAY_CIRCUITS: DurableObjectNamespace<GatewayCircuit>;
    EVENT_SHARDS: DurableObjectNamespace<EventShard>;
    MONITOR: DurableObjectNamespace<Monitor>;
  }
}

export { CardLimiter, EventShard, GatewayCircuit, Invitee, Monitor, Purchases, SmsLimiter };

async function fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const response = await app.fetch(request, env, context as never);
  const report = reportToMonitor(env);
  if (report) context.waitUntil(report);
  return response;
}

/** Scheduled publications, guardrails and the monitor run independently of each other. */
async function everyMinute(
  controller: Pick<ScheduledController, 'scheduledTime'>,
  env: Env,
  context: ExecutionContext,
): Promise<void> {
  const log = logger();
  const publish = async () => {
    const { runDuePublications } = await import('./console/publishing/scheduled-publications.ts');
    await runDuePublications(withBindingTimeouts(env), controller.scheduledTime, log);
  };
  const published = publish().catch((error) =>
    log('error', 'scheduled_publication_failed', { reason: reasonOf(error) }),
  );
  const stop = async () => {
    const { stopHarmfulArms } = await import('./console/experiments/stop-arms.ts');
    await stopHarmfulArms(withBindingTimeouts(env), controller.scheduledTime, log);
  };
  const stopped = stop().catch((error) =>
    log('error', 'arm_stop_failed', { reason: reasonOf(error) }),
  );
  const { scheduled } = await import('./monitoring/scheduled.ts');
  await Promise.all([published, stopped, scheduled(ownRoutes)(controller, env, context)]);
}

export default {
  fetch,
  async queue(batch: MessageBatch, env: Env): Promise<void> {
    const { queue } = await import('./queues.ts');
    await queue(batch, env);
    await reportToMonitor(env, true);
  },
  scheduled: everyMinute,
};
