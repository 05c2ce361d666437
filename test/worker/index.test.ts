import { createExecutionContext, env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { EventShard } from '../../worker/analytics/event-shard-object.ts';
import * as worker from '../../worker/index.ts';
import { Invitee } from '../../worker/invitations/invitee-object.ts';
import { SmsLimiter } from '../../worker/invitations/sms/sms-limiter-object.ts';
import { GatewayCircuit } from '../../worker/monitoring/gateway-circuit-object.ts';
import { Monitor } from '../../worker/monitoring/monitor-object.ts';
import { CardLimiter } from '../../worker/payments/fraud/card-limiter-object.ts';
import { Purchases } from '../../worker/payments/purchases-object.ts';

test('index: exports the server and the object classes only', () => {
  const { default: entry, ...classes } = worker;
  expect(classes).toEqual({
    CardLimiter,
    EventShard,
    GatewayCircuit,
    Invitee,
    Monitor,
    Purchases,
    SmsLimiter,
  });
  for (const handler of Object.values(entry)) expect(handler).toBeTypeOf('function');
});

test('index: the server answers', async () => {
  const request = new Request('http://localhost/one_pager');
  const response = await worker.default.fetch(request, env, createExecutionContext() as never);
  expect(response.status).toBe(200);
  await response.text();
});
