import { minuteMs } from '../../platform/durations.ts';
import { alarmKinds } from './alarm-kinds.ts';
import { type Incident, isUrgent } from './incidents.ts';

export type Phase = 'opened' | 'widened' | 'cleared';

const hourPattern = /^([01]?\d|2[0-3])-([01]?\d|2[0-3])(?: ([\w/+-]+))?$/;

/** @param hours such as `22-7 Europe/Berlin`; UTC without a zone. An invalid value means no quiet hours. */
export function isQuietAt(hours: string | undefined, now: number): boolean {
  const [, from, to, timeZone = 'UTC'] = hourPattern.exec(hours?.trim() ?? '') ?? [];
  let hour: number;
  try {
    const format = { hour: 'numeric', hourCycle: 'h23', timeZone } as const;
    hour = Number(new Intl.DateTimeFormat('en', format).format(now));
  } catch {
    return false; // A mistyped time zone must hide no alarm.
  }
  const [start, end] = [Number(from), Number(to)];
  return start <= end ? hour >= start && hour < end : hour >= start || hour < end;
}

interface QuietState {
  isQuiet: boolean;
  /** By area, minutes since 1970. */
  snoozedUntil: Readonly<Record<string, number>>;
}

/** An alarm that cleared during quiet hours or a snooze is never sent; an all-clear goes only to a channel that sent the alarm. */
export function phaseDue(
  incident: Incident,
  channel: string,
  minute: number,
  { isQuiet, snoozedUntil }: QuietState,
): Phase | null {
  const { area, openedAt, widenedAt, clearedAt, partOf, sent } = incident;
  const isSent = (phase: Phase) => sent.includes(`${channel}:${phase}`);
  if (openedAt === null || partOf !== null) return null;
  if (clearedAt !== null) return isSent('opened') && !isSent('cleared') ? 'cleared' : null;
  if (minute < (snoozedUntil[area] ?? Number.NEGATIVE_INFINITY) || (isQuiet && !isUrgent(incident)))
    return null;
  if (!isSent('opened')) return 'opened';
  return widenedAt !== null && !isSent('widened') ? 'widened' : null;
}

const timeOf = (minute: number) => `${new Date(minute * minuteMs).toISOString().slice(0, 16)}Z`;

/** Plain text: the e-mail's body, and the message's fallback. */
export function alarmText(incident: Incident, phase: Phase, site: string): string {
  const { kind, area, segment, detail, also, startedAt, clearedAt } = incident;
  const { title, check } = alarmKinds[kind];
  const where = segment ? ` (${segment})` : '';
  const heading = { opened: 'ALARM', widened: 'WORSE: now all visitors', cleared: 'All clear' }[
    phase
  ];
  const lines = [
    `${heading}: ${title}${where}`,
    ...(clearedAt !== null
      ? [`From ${timeOf(startedAt)} to ${timeOf(clearedAt)}`]
      : [`Since ${timeOf(startedAt)}`, detail, `Check first: ${check}`]),
    ...(also.length > 0
      ? [`Seen with it: ${also.map((each) => alarmKinds[each].title).join('; ')}`]
      : []),
    `${site} · area ${area} · npm run ops -- alarms --snooze ${area} --hours 4 --reason known`,
  ];
  return lines.join('\n');
}

/** Slack interprets `&`, `<` and `>` as markup: docs.slack.dev/messaging/formatting-message-text */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export function slackMessage(text: string) {
  const [heading = '', ...rest] = escaped(text).split('\n');
  const mrkdwn = `*${heading}*\n${rest.join('\n')}`;
  return {
    text: escaped(text),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: mrkdwn } }],
  };
}
