import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../accounts/access-token.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { zonesOf } from '../phone-lookup/number-time-zone.ts';
import { numberFacts } from '../phone-lookup/numbering-data.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import { invitationOf, invitationsOf } from './invitation-index.ts';
import { phoneHash } from './phone-hash.ts';
import { durations } from './rules/invitation.ts';
import { nextDaytime } from './rules/quiet-hours.ts';
import { senderName } from './rules/sender-name.ts';
import type { InvitationRequest } from './send-invitation.ts';
import { invitationSms, languageOf, linkOf } from './sms/sms-copy.ts';
import { ruleOf } from './sms/sms-countries.ts';

const question = {
  phone: v.pipe(v.string(), v.maxLength(60)),
  country: v.optional(v.pipe(v.string(), v.maxLength(2))),
  name: v.pipe(v.string(), v.maxLength(100)),
  duration: v.picklist(durations),
};
const words = v.object(question);
const asked = v.object({ ...question, via: v.picklist(['text', 'link']) });

/** Kinds of numbers that may get texts, as numbering plans tell them; null where one does not. */
const mobile = new Set([null, 'mobile', 'fixed_line_or_mobile']);

/** Reads a question; refused where it can not be asked this way, whoever asks. */
async function readQuestion(
  c: Context<App>,
  { phone: typed, country: field, name, duration }: v.InferOutput<typeof words>,
  via: 'text' | 'link',
): Promise<Omit<InvitationRequest, 'account' | 'person'>> {
  const {
    env,
    var: { visitor, log },
  } = c;
  const phone = parsePhone(typed, field || visitor.country);
  if (!phone) throw new Refusal('phone_incorrect');
  const sender = senderName(name);
  if (sender === null) throw new Refusal('name_refused');
  const { e164, country, type } = phone;
  const rule = ruleOf(env, country, log);
  // Without an end of its own it needs reminders, which are texts.
  const needsTexts = via === 'text' || duration === 'until_stopped';
  if (needsTexts && !rule) throw new Refusal('country_not_supported');
  if (needsTexts && !mobile.has(type)) throw new Refusal('number_not_mobile');
  const { zones } = await numberFacts(env, e164, log);
  const known = zones ?? (country ? zonesOf(country) : []);
  return {
    name: sender,
    duration,
    via,
    e164,
    country,
    zones: known.length > 0 ? known : ['UTC'],
    site: siteOrigin(env, c.req.url),
    cents: via === 'text' ? (rule?.cents ?? 0) : 0,
    browser: visitor.uuid,
  };
}

/** Who may ask: an account that paid, and whose owner has the mailbox that it names. */
async function mayAsk({ env, var: { account, session } }: Context<App>): Promise<void> {
  const purchases = env.PURCHASES.getByName(account);
  if (!(await purchases.active('main')))
    throw new Refusal((await purchases.paid()) ? 'payment_overdue' : 'main_purchase_missing');
  if (session.verifiedAt === null) throw new Refusal('email_unverified');
}

const ofPerson = (c: Context<App>, person: string) => c.env.INVITATIONS.getByName(person);

/** Asking somebody whether they share where they are: look at the words, send, list, take back. */
export const previewInvitationSms = createHandlers(bearer, jsonBody(words), async (c) => {
  const read = await readQuestion(c, c.req.valid('json'), 'text');
  const { country, duration, name, site, zones } = read;
  const text = invitationSms(c.env, duration, { name, country, site, code: '…' });
  const sendsAt = nextDaytime(zones, Date.now());
  const sends_at = sendsAt > Date.now() ? sendsAt : null;
  return c.json({ data: { text, language: languageOf(country), sends_at } });
});

export const createInvitation = createHandlers(bearer, jsonBody(asked), async (c) => {
  const body = c.req.valid('json');
  const read = await readQuestion(c, body, body.via);
  await mayAsk(c);
  const person = await phoneHash(c.env, read.e164);
  const { account } = c.var;
  const answer = await ofPerson(c, person).ask({ ...read, account, person });
  if ('refusal' in answer) throw new Refusal(answer.refusal);
  const { view, code } = answer;
  return c.json({ data: view, ...(code && { link: linkOf(read.site, code) }) });
});

export const listInvitations = createHandlers(bearer, async (c) => {
  // Positions are for the mailbox's owner alone.
  if (c.var.session.verifiedAt === null) return c.json({ data: [] });
  const kept = await invitationsOf(c.env.DB, c.var.account, Date.now());
  const views = kept.map(({ id, person }) => ofPerson(c, person).seen(id, c.var.account));
  const data = (await Promise.all(views)).filter((view) => view !== undefined);
  return c.json({ data });
});

export const cancelInvitation = createHandlers(bearer, async (c) => {
  const found = await invitationOf(c.env.DB, c.var.account, c.req.param('id') ?? '');
  const data = found && (await ofPerson(c, found.person).cancel(found.id, c.var.account));
  if (!data) throw new Refusal('invitation_unknown');
  return c.json({ data });
});
