import type { Context } from 'hono';
import { html } from 'hono/html';
import * as v from 'valibot';
import { siteOrigin } from '../../email/enqueue-email.ts';
import type { App, Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { createHandlers } from '../../http/handlers.ts';
import { limitBody } from '../../http/request-guard.ts';
import { parsePhone } from '../../phone-lookup/parse-phone.ts';
import { phoneHash } from '../phone-hash.ts';
import { keywordIn } from './opt-out-keywords.ts';
import { replySms } from './sms-copy.ts';
import {
  type Keyword,
  type Posted,
  readIncomingSms,
  readStatusCallback,
} from './twilio-webhook.ts';

const largest = 64 * 1024;

type Reply = Parameters<typeof replySms>[1];

/** Does what somebody wants who texted us. @returns what there is to say; null for nothing */
async function heard(
  env: Env,
  means: Keyword,
  { e164, id }: { e164: string; id: string },
): Promise<Reply | null> {
  if (means === 'help') return 'help';
  const person = env.INVITATIONS.getByName(await phoneHash(env, e164));
  if (means === 'stop') return (await person.stopAll()) ? 'stopped' : null;
  return (await person.start(id)) ? 'started' : null;
}

/** Twilio signs the public address, which is not the one that a proxy may call us by. */
async function postedTo(c: Context<App>): Promise<Posted> {
  const { pathname, search } = new URL(c.req.url);
  return {
    url: `${siteOrigin(c.env, c.req.url)}${pathname}${search}`,
    body: new TextDecoder().decode(await c.req.arrayBuffer()),
    signature: c.req.header('x-twilio-signature') ?? '',
  };
}

const about = v.object({
  kind: v.picklist(['invitation', 'reminder', 'stop_code']),
  text: v.pipe(v.string(), v.uuid()),
});

/**
 * `POST /webhooks/twilio`: what people answer to our texts. A STOP counts at once and for everybody,
 * a START takes it back. Each is confirmed in the answer itself, once: who sends it again, or replays
 * it, changes nothing.
 *
 * `POST /webhooks/twilio/status`: how a text of ours fares.
 */
export const receiveSms = createHandlers(limitBody(largest), async (c) => {
  const site = siteOrigin(c.env, c.req.url);
  const text = await readIncomingSms(c.env, await postedTo(c));
  if (!text) throw new Refusal('webhook_refused');
  const answer = (words: string) =>
    c.body(`${html`<Response>${words && html`<Message>${words}</Message>`}</Response>`}`, 200, {
      'content-type': 'text/xml; charset=utf-8',
      'cache-control': 'no-store',
    });
  const phone = parsePhone(text.from, '');
  const means = text.handled ?? keywordIn(text.body);
  if (!phone || !means) return answer('');
  const { e164, country } = phone;
  const reply = await heard(c.env, means, { e164, id: text.id });
  if (means !== 'help') c.var.log('info', `text_${means}`, { country: country ?? undefined });
  return answer(reply && !text.handled ? replySms(c.env, reply, country, site) : '');
});

export const receiveSmsStatus = createHandlers(limitBody(largest), async (c) => {
  const news = await readStatusCallback(c.env, await postedTo(c));
  const asked = v.safeParse(about, c.req.query());
  const phone = news && parsePhone(news.to, '');
  if (!news || !asked.success || !phone) throw new Refusal('webhook_refused');
  const person = c.env.INVITATIONS.getByName(await phoneHash(c.env, phone.e164));
  await person.textNews(asked.output, news);
  return c.body(null, 204);
});
