import { Hono } from 'hono';
import { html } from 'hono/html';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { meansStop } from '../funnel/stop-words.ts';
import { siteOf } from '../mail/send.ts';
import { numberKey } from '../number-key.ts';
import { readPhone } from '../phone.ts';
import { stoppedText } from '../text-words.ts';
import { readText } from '../vendors/text-webhook.ts';
import { bodyUpTo } from './guard.ts';

const largest = 64 * 1024;

/**
 * `POST /webhooks/twilio`: what people answer to our texts. A STOP counts at once and for everybody.
 * It is confirmed in the answer itself, once: who sends it again, or replays it, changes nothing.
 */
export const textWebhook = new Hono<App>().post('/', bodyUpTo(largest), async (c) => {
  const site = siteOf(c.env, c.req.url);
  const { pathname, search } = new URL(c.req.url);
  const signature = c.req.header('x-twilio-signature') ?? '';
  const url = `${site}${pathname}${search}`;
  const body = new TextDecoder().decode(await c.req.arrayBuffer());
  const text = await readText(c.env, { url, body, signature });
  if (!text) throw new Refusal('webhook_refused');
  const answer = (words: string) =>
    c.body(`${html`<Response>${words && html`<Message>${words}</Message>`}</Response>`}`, 200, {
      'content-type': 'text/xml; charset=utf-8',
      'cache-control': 'no-store',
    });
  const phone = readPhone(text.from, '');
  if (!phone || !(text.handled || meansStop(text.body))) return answer('');
  const person = c.env.INVITATIONS.getByName(await numberKey(c.env, phone.e164));
  const news = await person.stopAll();
  c.var.log('info', 'text_stop', { country: phone.country ?? undefined });
  return answer(news && !text.handled ? stoppedText(c.env, phone.country, site) : '');
});
