import type { Context } from 'hono';
import { html } from 'hono/html';
import * as v from 'valibot';
import { siteOrigin } from '../../email/enqueue-email.ts';
import { createHandlers } from '../../http/handlers.ts';
import { limitBody } from '../../http/request-guard.ts';
import { parsePhone } from '../../phone-lookup/parse-phone.ts';
import type { App, Env } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import { phoneHash } from '../invitation-index.ts';
import { replySms, smsTextsFor } from './sms-copy.ts';
import type { SmsKeyword, WebhookRequest } from './twilio-webhook.ts';

const maxBodyBytes = 64 * 1024;

type Reply = Parameters<typeof replySms>[2];

/** @returns the reply; null if nothing changed, so that a repeated SMS is not answered again */
async function applyKeyword(
  env: Env,
  keyword: SmsKeyword,
  { e164, id }: { e164: string; id: string },
): Promise<Reply | null> {
  if (keyword === 'help') return 'help';
  const invitee = env.INVITATIONS.getByName(await phoneHash(env, e164));
  if (keyword === 'stop') return (await invitee.optOut()) ? 'stopped' : null;
  return (await invitee.optIn(id)) ? 'started' : null;
}

/** Twilio writes E.164, so an opt-out counts even while the numbering plan cannot be read. */
async function readPhone({ env, var: { log } }: Context<App>, e164: string) {
  try {
    return await parsePhone(env, e164, '', log);
  } catch {
    return /^\+[1-9]\d{6,14}$/.test(e164) ? { e164, country: null } : null;
  }
}

/** Twilio signs the public URL, which differs from the request's URL behind a proxy. */
async function webhookRequest(c: Context<App>): Promise<WebhookRequest> {
  const { pathname, search } = new URL(c.req.url);
  return {
    url: `${siteOrigin(c.env, c.req.url)}${pathname}${search}`,
    body: new TextDecoder().decode(await c.req.arrayBuffer()),
    signature: c.req.header('x-twilio-signature') ?? '',
  };
}

export const receiveSms = createHandlers(limitBody(maxBodyBytes), async (c) => {
  const site = siteOrigin(c.env, c.req.url);
  const { readIncomingSms } = await import('./twilio-webhook.ts');
  const sms = await readIncomingSms(c.env, await webhookRequest(c));
  if (!sms) throw new Refusal('webhook_refused');
  const respond = (text: string) =>
    c.body(`${html`<Response>${text && html`<Message>${text}</Message>`}</Response>`}`, 200, {
      'content-type': 'text/xml; charset=utf-8',
      'cache-control': 'no-store',
    });
  const phone = await readPhone(c, sms.from);
  const keyword = sms.handled ?? (await import('./opt-out-keywords.ts')).keywordIn(sms.body);
  if (!phone || !keyword) return respond('');
  const { e164, country } = phone;
  const reply = await applyKeyword(c.env, keyword, { e164, id: sms.id });
  if (keyword !== 'help') {
    const event = keyword === 'stop' ? 'sms_opt_out' : 'sms_opt_in';
    c.var.log('info', event, { country: country ?? undefined });
  }
  if (!reply || sms.handled) return respond('');
  const texts = await smsTextsFor(country, c.env, c.var.log);
  return respond(replySms(c.env, texts, reply, site));
});

const callbackQuery = v.object({
  kind: v.picklist(['invitation', 'reminder', 'ended', 'opt_out_code']),
  sms: v.pipe(v.string(), v.uuid()),
});

export const receiveSmsStatus = createHandlers(limitBody(maxBodyBytes), async (c) => {
  const { readStatusCallback } = await import('./twilio-webhook.ts');
  const report = await readStatusCallback(c.env, await webhookRequest(c));
  const query = v.safeParse(callbackQuery, c.req.query());
  const phone = report && (await readPhone(c, report.to));
  if (!report || !query.success || !phone) throw new Refusal('webhook_refused');
  const invitee = c.env.INVITATIONS.getByName(await phoneHash(c.env, phone.e164));
  const { kind, sms: id } = query.output;
  await invitee.recordSmsStatus({ kind, id }, report);
  return c.body(null, 204);
});
