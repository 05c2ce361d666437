import { resend } from '../email/resend.ts';
import type { Env } from '../platform/env.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import type { Incident } from './rules/incidents.ts';
import { alarmText, type Phase, slackMessage } from './rules/messages.ts';

const timeoutMs = 10_000;

type Send = (incident: Incident, phase: Phase, env: Env) => Promise<void>;

const siteOf = ({ SITE_URL }: Env) => (SITE_URL ? new URL(SITE_URL).host : 'funnel');

const postToWebhook: Send = async (incident, phase, env) => {
  const message = slackMessage(alarmText(incident, phase, siteOf(env)));
  const response = await fetch(env.ALARM_WEBHOOK_URL ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`status ${response.status}`);
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Resend sends each id once, so a repeated minute sends one e-mail. */
const sendMail: Send = async (incident, phase, env) => {
  const text = alarmText(incident, phase, siteOf(env));
  const sent = await resend(env).send({
    id: `alarm:${incident.id}:${phase}`,
    to: env.ALARM_EMAIL ?? '',
    subject: text.split('\n', 1)[0] ?? '',
    text,
    html: `<pre>${escaped(text)}</pre>`,
  });
  if (sent.state === 'refused') throw new Error('refused');
};

export interface Channel {
  name: 'webhook' | 'email';
  send: Send;
}

export const channelsOf = (env: Env): Channel[] => [
  ...(env.ALARM_WEBHOOK_URL ? [{ name: 'webhook' as const, send: postToWebhook }] : []),
  ...(env.ALARM_EMAIL ? [{ name: 'email' as const, send: sendMail }] : []),
];

/** @returns false, after a log line, when the channel did not accept it: it is retried in a minute */
export async function sendAlarm(
  { name, send }: Channel,
  incident: Incident,
  phase: Phase,
  { env, log }: { env: Env; log: Log },
): Promise<boolean> {
  try {
    await send(incident, phase, env);
    return true;
  } catch (error) {
    // Only the kind of the error, because its message may quote the webhook's secret URL.
    const reason = reasonOf(error);
    log('error', 'alarm_not_sent', { area: incident.area, vendor: name, state: phase, reason });
    return false;
  }
}
