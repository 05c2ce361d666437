import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import * as v from 'valibot';
import { siteOf } from '../../email/enqueue-email.ts';
import type { App, Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { bodyUpTo } from '../../http/request-guard.ts';
import { readPhone } from '../../phone-lookup/parse-phone.ts';
import { numberKey } from '../phone-hash.ts';
import { meaningOf } from './opt-out-keywords.ts';
import { replyText } from './sms-copy.ts';
import { type Keyword, type Posted, readText, readTextNews } from './twilio-webhook.ts';

const largest = 64 * 1024;

type Reply = Parameters<typeof replyText>[1];

/** Does what somebody wants who texted us. @returns what there is to say; null for nothing */
async function heard(
  env: Env,
  means: Keyword,
  { e164, id }: { e164: string; id: string },
): Promise<Reply | null> {
  if (means === 'help') return 'help';
  const person = env.INVITATIONS.getByName(await numberKey(env, e164));
  if (means === 'stop') return (await person.stopAll()) ? 'stopped' : null;
  return (await person.start(id)) ? 'started' : null;
}

/** Twilio signs the public address, which is not the one that a proxy may call us by. */
async function postedTo(c: Context<App>): Promise<Posted> {
  const { pathname, search } = new URL(c.req.url);
  return {
    url: `${siteOf(c.env, c.req.url)}${pathname}${search}`,
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
export const textWebhook = new Hono<App>()
  .post('/', bodyUpTo(largest), async (c) => {
    const site = siteOf(c.env, c.req.url);
    const text = await readText(c.env, await postedTo(c));
    if (!text) throw new Refusal('webhook_refused');
    const answer = (words: string) =>
      c.body(`${html`<Response>${words && html`<Message>${words}</Message>`}</Response>`}`, 200, {
        'content-type': 'text/xml; charset=utf-8',
        'cache-control': 'no-store',
      });
    const phone = readPhone(text.from, '');
    const means = text.handled ?? meaningOf(text.body);
    if (!phone || !means) return answer('');
    const { e164, country } = phone;
    const reply = await heard(c.env, means, { e164, id: text.id });
    if (means !== 'help') c.var.log('info', `text_${means}`, { country: country ?? undefined });
    return answer(reply && !text.handled ? replyText(c.env, reply, country, site) : '');
  })
  .post('/status', bodyUpTo(largest), async (c) => {
    const news = await readTextNews(c.env, await postedTo(c));
    const asked = v.safeParse(about, c.req.query());
    const phone = news && readPhone(news.to, '');
    if (!news || !asked.success || !phone) throw new Refusal('webhook_refused');
    const person = c.env.INVITATIONS.getByName(await numberKey(c.env, phone.e164));
    await person.textNews(asked.output, news);
    return c.body(null, 204);
  });
