import type { Context } from 'hono';
import * as v from 'valibot';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { audited, operatorText } from '../operators/audited-command.ts';
import { minuteMs } from '../platform/durations.ts';
import type { App, Env } from '../platform/env.ts';
import type { MonitorState } from './monitor-state.ts';
import { openIncidents } from './rules/incidents.ts';
import { partsOf } from './rules/status-parts.ts';
import type { OwnRoutes } from './synthetic-visitor.ts';
import { walkAll } from './synthetic-walks.ts';

export const monitorOf = (env: Env) => env.MONITOR.getByName('monitor');

export const getMonitoring = createHandlers(async (c) => {
  const { incidents, ...state } = await monitorOf(c.env).state();
  return c.json({ data: { ...state, alarms: openIncidents(incidents), incidents } });
});

const checkBody = v.object({ buy: v.boolean() });

/** Starts a walk through the version that serves this request. */
export const checkNow = (routes: OwnRoutes) =>
  createHandlers(jsonBody(checkBody), async (c) => {
    const minute = c.req.valid('json').buy ? Math.floor(Date.now() / minuteMs) : null;
    const funnel = { routes, env: c.env, context: c.executionCtx };
    const checks = await walkAll(funnel, minute);
    return c.json({ data: { ok: checks.every(({ ok }) => ok), checks } });
  });

const snoozeBody = v.object({
  area: v.pipe(v.string(), v.regex(/^[\w:.-]{1,100}$/)),
  hours: v.pipe(v.number(), v.minValue(0), v.maxValue(14 * 24)),
  reason: operatorText,
  operator: v.optional(operatorText),
});

/** @returns the end of the snooze, minutes since 1970 */
export async function snoozeArea(env: Env, area: string, hours: number): Promise<number> {
  const until = Math.floor(Date.now() / minuteMs + hours * 60);
  await monitorOf(env).snooze(area, until);
  return until;
}

export const snoozeAlarm = createHandlers(jsonBody(snoozeBody), async (c) => {
  const { area, hours, reason, operator } = c.req.valid('json');
  const command = { operator, action: 'snooze', target: area, details: { hours }, reason };
  const until = await audited(
    c,
    command,
    () => snoozeArea(c.env, area, hours),
    () => 'snoozed',
  );
  return c.json({ data: { area, until: until * minuteMs } });
});

const statusMaxAgeMs = 30_000;
/** The page is public, so one response of the monitor serves an isolate for half a minute. */
let cached: { state: MonitorState; at: number } | null = null;

export async function getStatus(c: Context<App>): Promise<Response> {
  const now = Date.now();
  if (!cached || now - cached.at > statusMaxAgeMs) {
    cached = { state: await monitorOf(c.env).state(), at: now };
  }
  return c.json(partsOf(cached.state, now), 200, { 'cache-control': 'public, max-age=30' });
}
