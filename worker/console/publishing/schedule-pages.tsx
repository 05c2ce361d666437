import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import type { App } from '../../platform/env.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { consoleRefusal } from '../parts/console-response.tsx';
import { isActionKey, readForm, reasonIn, resendForm } from '../parts/form-fields.ts';
import { localTime, timeIn, timeZoneOf } from '../parts/rules/time-zone.ts';
import { clockOf, zoneOf } from '../parts/time-zone-choice.ts';
import {
  cancelPublication,
  type Kind,
  pendingAfter,
  type ScheduleResult,
  scheduledPublications,
  schedulePublication,
} from './scheduled-publications.ts';
import type { ScheduledProps, ScheduleFields } from './screens/scheduled.tsx';

export const newSchedule = (c: Context<App>): ScheduleFields => ({
  scheduleKey: crypto.randomUUID(),
  earliest: localTime(Date.now() + 60_000, zoneOf(c)).slice(0, 16),
  zone: zoneOf(c),
});

/** Schedules the form of a review. A browser sends a time as `2026-12-01T09:00`. */
export async function scheduleSent(
  c: Context<App>,
  fields: URLSearchParams,
  change: { kind: Kind; next: Documents; base: string },
): Promise<ScheduleResult> {
  const at = fields.get('at') ?? '';
  const key = fields.get('once') ?? '';
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(at) && isActionKey(key);
  return schedulePublication(c.env, {
    ...change,
    who: c.var.person.email,
    byPerson: true,
    reason: reasonIn(fields),
    key,
    now: Date.now(),
    dueAt: isTime ? timeIn(at, timeZoneOf(fields.get('zone') ?? '')) : Number.NaN,
  });
}

export const notScheduled = (
  c: Context<App>,
  result: Extract<ScheduleResult, { kind: 'bad-time' | 'clash' }>,
): string =>
  result.kind === 'bad-time'
    ? 'Enter a time in the future, at most a year ahead.'
    : `${result.who} scheduled a change for ${clockOf(c)(result.dueAt)} that this one does not fit: ${result.problem}. Cancel that one under Versions, or change this one.`;

/** The pending publications, and which of them are refused once `next` is live. */
export async function waitingLines(
  c: Context<App>,
  kind: Kind,
  next: Documents,
): Promise<string[]> {
  const time = clockOf(c);
  const { pending, blocked } = await pendingAfter(c.env, kind, next).catch(
    unanswered(c.var.log, 'DB', { pending: [], blocked: [] }),
  );
  return pending.map(({ id, operator, due_at }) => {
    const problem = blocked.find(({ row }) => row.id === id)?.problem;
    const what = `${operator} scheduled a change for ${time(due_at)}`;
    return problem
      ? `${what}. It does not fit these documents, and will be refused if they are live: ${problem}.`
      : `${what}.`;
  });
}

const notices: Record<string, string> = {
  scheduled:
    'Scheduled. Only this change will be published at this time; what others publish before then stays.',
  cancelled: 'Cancelled. It will not be published.',
  late: 'It is being published or has ended, so it was not cancelled.',
};

export async function scheduledTable(c: Context<App>, kind: Kind): Promise<ScheduledProps> {
  const done = c.req.query('done') ?? '';
  const all = await scheduledPublications(c.env, kind, Date.now()).catch(
    unanswered(c.var.log, 'DB', null),
  );
  const time = clockOf(c);
  return {
    notice: Object.hasOwn(notices, done) ? (notices[done] ?? '') : '',
    scheduled:
      all?.map(({ id, due_at, operator, reason, state, note, differences }) => ({
        id,
        time: time(due_at),
        who: operator,
        reason,
        state,
        note,
        differences: JSON.parse(differences) as string[],
      })) ?? null,
  };
}

export async function cancelSchedule(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const id = fields.get('id') ?? '';
  if (!isActionKey(id)) return consoleRefusal(c, 400, 'Refused', resendForm);
  const request = { id, who: c.var.person.email, now: Date.now() };
  const kind = await cancelPublication(c.env, request);
  const at =
    (kind ?? fields.get('kind')) === 'content' ? '/console/texts/versions' : '/console/versions';
  return c.redirect(`${at}?done=${kind ? 'cancelled' : 'late'}`, 303);
}
