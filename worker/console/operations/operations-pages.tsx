import type { Context } from 'hono';
import { pretty } from '../../documents/live-documents.ts';
import { snoozeArea } from '../../monitoring/monitoring-api.ts';
import { alarmKinds } from '../../monitoring/rules/alarm-kinds.ts';
import { openIncidents } from '../../monitoring/rules/incidents.ts';
import { differencesInWords, type NightlyResult } from '../../monitoring/rules/nightly-result.ts';
import { runAudited } from '../../operators/audited-command.ts';
import { replayOnce } from '../../operators/dead-letters.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import { consolePage } from '../parts/console-response.tsx';
import { enterReason, isActionKey, readForm, reasonIn, resendForm } from '../parts/form-fields.ts';
import { refusalText } from '../parts/rules/refusal-text.ts';
import { may } from '../parts/rules/roles.ts';
import { clockOf } from '../parts/time-zone-choice.ts';
import { noFiles, type OperationsState, operationsState } from './operations-state.ts';
import { countedRows, durationText } from './rules/operations.ts';
import { Operations, type OperationsProps } from './screens/operations.tsx';
import { statusOf } from './status.ts';

const minuteMs = 60_000;
const whole = new Intl.NumberFormat('en');

type Monitored = Pick<
  OperationsProps,
  'versions' | 'watched' | 'alarms' | 'past' | 'walks' | 'nights'
>;

const unwatched: Monitored = {
  versions: [],
  watched: 'Monitoring does not respond.',
  alarms: [],
  past: [],
  walks: [],
  nights: [],
};

export const nightLines = (nightly: readonly NightlyResult[]): string[] =>
  nightly.map(({ gateway, day, finishedAt, compared, differences }) => {
    const found = differences.length > 0 ? differencesInWords(differences) : 'no differences';
    const state = finishedAt === null ? 'in progress' : found;
    return `${gateway}, ${day} UTC: ${whole.format(compared)} movements compared, ${state}`;
  });

function monitored(
  { monitor }: OperationsState,
  now: number,
  time: (ms: number) => string,
): Monitored {
  if (!monitor) return unwatched;
  const { incidents, versions, checks, nightly, snoozedUntil, watchedAt } = monitor;
  const open = openIncidents(incidents);
  const newest = new Map(checks.map((check) => [`${check.market} ${check.gateway}`, check]));
  return {
    watched: watchedAt === null ? '' : `Checked ${durationText(now - watchedAt)} ago.`,
    versions: versions.map(({ version, firstSeenAt, served, failed }) => ({
      name: version,
      cells: [`${durationText(now - firstSeenAt)} ago`, whole.format(served), whole.format(failed)],
    })),
    alarms: open.map(({ id, kind, area, segment, detail, startedAt }) => {
      const until = (snoozedUntil[area] ?? 0) * minuteMs;
      return {
        id,
        title: `${alarmKinds[kind].title}${segment && ` (${segment})`}`,
        area,
        since: time(startedAt * minuteMs),
        detail,
        check: alarmKinds[kind].check,
        snoozedUntil: until > now ? time(until) : '',
      };
    }),
    past: incidents
      .filter((incident) => incident.openedAt !== null && !open.includes(incident))
      .toReversed()
      .map(
        ({ kind, startedAt, detail }) =>
          `${time(startedAt * minuteMs)}: ${alarmKinds[kind].title}. ${detail}`,
      ),
    walks: [...newest].map(([name, { ok, step, reason, at, ms }]) => ({
      name,
      cells: [ok ? 'passed' : `failed at ${step}: ${reason}`, time(at), `${whole.format(ms)} ms`],
    })),
    nights: nightLines(nightly),
  };
}

const queueNames: Record<string, string> = {
  'funnel-exposures': 'Variants shown to visitors',
  'funnel-events': 'Visits and clicks',
  'funnel-conversions': 'Purchases for ad networks',
  'funnel-email': 'Emails',
  'funnel-sms': 'SMS',
  'funnel-webhooks': 'Webhooks of the payment providers',
  'funnel-entitlements': 'Entitlement webhooks to the app’s server',
};

const notices: Record<string, string> = {
  replay: 'The message was sent to its queue again.',
  snooze: 'The snooze was saved.',
};

type State = Awaited<ReturnType<typeof operationsState>>;

const countRows = (logged: State['logged'], prefix: 'log' | 'csp', name: 0 | 1) =>
  countedRows(logged, prefix).map(({ parts: both, total, series }) => ({
    name: both[name],
    kind: both[1 - name] ?? '',
    total: whole.format(total),
    series,
  }));

const faultsOf = ({ refused, health }: State) => [
  ...(refused
    ? [`Visitors get an earlier version, because the live one is not valid: ${refused}.`]
    : []),
  ...health.payments,
  ...health.secrets,
];

function queueRows({ queues, deadLetters }: State, now: number): OperationsProps['queues'] {
  const dead = Map.groupBy(deadLetters ?? [], ({ queue }) => queue);
  return queues
    .filter(({ name, backlog }) => backlog !== 0 || dead.has(name))
    .map(({ name, backlog, oldestAt }) => ({
      name: queueNames[name] ?? name,
      note: name,
      cells: [
        backlog === null ? 'unknown' : whole.format(backlog),
        oldestAt === null ? '–' : durationText(now - oldestAt),
        whole.format(dead.get(name)?.length ?? 0),
      ],
    }));
}

async function operationsPage(c: Context<App>, problem = ''): Promise<Response> {
  const now = Date.now();
  const time = clockOf(c);
  const state = await operationsState(c.env);
  const { health, parts, refused, lastRefused, deadLetters, logged } = state;
  const { role } = c.var.person;
  const done = c.req.query('done') ?? '';
  const props: OperationsProps = {
    mayOperate: may(role, 'operate'),
    notice: Object.hasOwn(notices, done) ? (notices[done] ?? '') : '',
    problem,
    status: await statusOf(c, state),
    faults: faultsOf(state),
    lastRefused: lastRefused && {
      time: time(lastRefused.at),
      reason: lastRefused.reason,
      isLive: refused !== '',
      content: may(role, 'publish') || may(role, 'operate') ? lastRefused.content : null,
    },
    parts: [
      {
        name: 'This version',
        technical: 'build',
        isUp: true,
        isEmpty: false,
        detail: health.build,
      },
      ...parts.map(({ name, technical, detail }) => ({
        name,
        technical,
        isUp: detail !== null,
        isEmpty: detail === noFiles,
        detail: detail ?? '',
      })),
    ],
    asked: time(now),
    ...monitored(state, now, time),
    kinds: Object.values(alarmKinds).map(({ title, check }) => `${title}: ${check}`),
    queues: queueRows(state, now),
    letters: (deadLetters ?? []).map(({ id, queue, reason, stored_at, body }) => ({
      id,
      queue,
      reason,
      since: new Date(stored_at).toISOString(),
      content: may(role, 'people') ? pretty(body) : null,
    })),
    logged: countRows(logged, 'log', 1),
    refusedSources: countRows(logged, 'csp', 0),
    actionKey: crypto.randomUUID(),
  };
  return consolePage(c, <Operations {...props} />, problem ? 422 : 200);
}

export const showOperations = (c: Context<App>): Promise<Response> => operationsPage(c);

type Command = { action: string; target: string; details: object };

/** Runs an operator's command and records its reason in the audit. */
async function operate(
  c: Context<App>,
  reason: string,
  command: Command,
  run: () => Promise<unknown>,
): Promise<Response> {
  if (!reason) return operationsPage(c, enterReason);
  const named = { ...command, operator: c.var.person.email, reason };
  try {
    await runAudited({ DB: c.env.DB, log: c.var.log }, named, run, () => 'done');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return operationsPage(c, refusalText(error.code));
  }
  return c.redirect(`/console/operations?done=${command.action}`, 303);
}

export async function replayFromForm(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const [id, key] = [(fields.get('id') ?? '').slice(0, 300), fields.get('key') ?? ''];
  if (!id || !isActionKey(key)) return operationsPage(c, resendForm);
  const command = { action: 'replay', target: id, details: { key } };
  return operate(c, reasonIn(fields), command, () => replayOnce(c.env, id, key));
}

const maxHours = 14 * 24;

export async function snoozeAlarms(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const [area, hours] = [fields.get('area') ?? '', Number(fields.get('hours') || Number.NaN)];
  if (!/^[\w:.-]{1,100}$/.test(area) || !(hours >= 0 && hours <= maxHours)) {
    return operationsPage(c, `Enter 0 to ${maxHours} hours.`);
  }
  const command = { action: 'snooze', target: area, details: { hours } };
  return operate(c, reasonIn(fields), command, () => snoozeArea(c.env, area, hours));
}
