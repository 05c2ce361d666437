import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../accounts/access-token.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { Refusal, unlessRefused } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { numberFacts, timeZonesOf } from '../phone-lookup/numbering-data.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import type { InvitationId } from '../types.ts';
import { findInvitationEntry, listInvitationEntries, phoneHash } from './invitation-index.ts';
import { durations, senderName } from './rules/invitation.ts';
import { nextDaytime } from './rules/quiet-hours.ts';
import type { InvitationRequest } from './send-invitation.ts';
import { invitationLink, invitationSms, smsLanguage } from './sms/sms-copy.ts';
import { countryRule } from './sms/sms-countries.ts';

const invitationFields = {
  phone: v.pipe(v.string(), v.maxLength(60)),
  country: v.optional(v.pipe(v.string(), v.maxLength(2))),
  name: v.pipe(v.string(), v.maxLength(100)),
  duration: v.picklist(durations),
};
const previewBody = v.object(invitationFields);
const inviteBody = v.object({ ...invitationFields, via: v.picklist(['sms', 'link']) });

const mobileTypes = new Set([null, 'mobile', 'fixed_line_or_mobile']);

async function parseRequest(
  c: Context<App>,
  { phone: typed, country: field, name, duration }: v.InferOutput<typeof previewBody>,
  via: 'sms' | 'link',
): Promise<Omit<InvitationRequest, 'account' | 'inviteeKey'>> {
  const {
    env,
    var: { visitor, log },
  } = c;
  const phone = await parsePhone(typed, field || visitor.country);
  if (!phone) throw new Refusal('phone_incorrect');
  const sender = senderName(name);
  if (sender === null) throw new Refusal('name_refused');
  const { e164, country, type } = phone;
  const rule = countryRule(env, country, log);
  // Sharing without an end needs reminders by SMS.
  const needsSms = via === 'sms' || duration === 'until_stopped';
  if (needsSms && !rule) throw new Refusal('country_not_supported');
  if (needsSms && !mobileTypes.has(type)) throw new Refusal('number_not_mobile');
  const { zones } = await numberFacts(env, e164, log);
  const known = zones ?? (country ? timeZonesOf(country) : []);
  return {
    name: sender,
    duration,
    via,
    e164,
    country,
    zones: known.length > 0 ? known : ['UTC'],
    site: siteOrigin(env, c.req.url),
    cents: via === 'sms' ? (rule?.cents ?? 0) : 0,
    requesterBrowser: visitor.uuid,
  };
}

/** Only a paying account with a verified e-mail may invite. */
async function requireInviter({ env, var: { account, session } }: Context<App>): Promise<void> {
  const purchases = env.PURCHASES.getByName(account);
  if (!(await purchases.activePlan('main')))
    throw new Refusal(
      (await purchases.hasActiveMainPlan()) ? 'payment_overdue' : 'main_purchase_missing',
    );
  if (session.verifiedAt === null) throw new Refusal('email_unverified');
}

const inviteeObject = (c: Context<App>, key: string) => c.env.INVITATIONS.getByName(key);

export const previewInvitationSms = createHandlers(bearer, jsonBody(previewBody), async (c) => {
  const request = await parseRequest(c, c.req.valid('json'), 'sms');
  const { country, duration, name, site, zones } = request;
  const text = invitationSms(c.env, duration, { name, country, site, code: '…' });
  const sendsAt = nextDaytime(zones, Date.now());
  const sends_at = sendsAt > Date.now() ? sendsAt : null;
  return c.json({ data: { text, language: smsLanguage(country), sends_at } });
});

export const createInvitation = createHandlers(bearer, jsonBody(inviteBody), async (c) => {
  const body = c.req.valid('json');
  const request = await parseRequest(c, body, body.via);
  await requireInviter(c);
  const inviteeKey = await phoneHash(c.env, request.e164);
  const { account } = c.var;
  const invitee = inviteeObject(c, inviteeKey);
  const { view, code } = unlessRefused(await invitee.invite({ ...request, account, inviteeKey }));
  return c.json({ data: view, ...(code && { link: invitationLink(request.site, code) }) });
});

export const listInvitations = createHandlers(bearer, async (c) => {
  // Only the verified owner of the mailbox may see positions.
  if (c.var.session.verifiedAt === null) return c.json({ data: [] });
  const entries = await listInvitationEntries(c.env.DB, c.var.account, Date.now());
  const views = entries.map(({ id, inviteeKey }) =>
    inviteeObject(c, inviteeKey).viewForRequester(id, c.var.account),
  );
  const data = (await Promise.all(views)).filter((view) => view !== undefined);
  return c.json({ data });
});

export const cancelInvitation = createHandlers(bearer, async (c) => {
  const id = (c.req.param('id') ?? '') as InvitationId;
  const found = await findInvitationEntry(c.env.DB, c.var.account, id);
  const data = found && (await inviteeObject(c, found.inviteeKey).cancel(found.id, c.var.account));
  if (!data) throw new Refusal('invitation_unknown');
  return c.json({ data });
});
