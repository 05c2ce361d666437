import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { bearer, requireMailbox } from '../accounts/access-token.ts';
import { emailConfirmation } from '../accounts/sign-in-link-api.ts';
import { translationsFor } from '../content/translations.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { zonesOfNumber } from '../phone-lookup/numbering-data.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import { countryRule, smsRefusal } from '../phone-lookup/sms-reach.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { App } from '../platform/env.ts';
import { Refusal, throwIfRefused } from '../platform/errors.ts';
import { type AccountId, type InvitationId, provenId } from '../platform/types.ts';
import {
  findInvitationEntry,
  listInvitationEntries,
  phoneHash,
  refuseIfDeleted,
} from './invitation-index.ts';
import { requesterIdentities } from './requester-right.ts';
import { durations } from './rules/invitation.ts';
import type { RequesterView } from './rules/invitation-view.ts';
import { nextDaytime } from './rules/quiet-hours.ts';
import { senderName } from './rules/sender-name.ts';
import type { InvitationRequest } from './send-invitation.ts';
import { invitationLink, invitationSms, smsLanguage, smsTextsFor } from './sms/sms-copy.ts';

const invitationFields = {
  phone: v.pipe(v.string(), v.maxLength(60)),
  country: v.optional(v.pipe(v.string(), v.maxLength(2))),
  name: v.pipe(v.string(), v.maxLength(100)),
  duration: v.picklist(durations),
};
const previewBody = v.object(invitationFields);
const inviteBody = v.object({ ...invitationFields, via: v.picklist(['sms', 'link']) });

/** The company's name, its first word, and the words of our domain. */
function ourNames({ COMPANY_NAME: company = '' }: App['Bindings'], site: string): string[] {
  const domain = new URL(site).hostname.split('.').slice(0, -1);
  return [company, company.split(' ', 1)[0] ?? '', ...domain];
}

async function parseRequest(
  c: Context<App>,
  { phone: typedPhone, country: field, name, duration }: v.InferOutput<typeof previewBody>,
  via: 'sms' | 'link',
): Promise<Omit<InvitationRequest, 'account' | 'inviteeKey' | 'identities'>> {
  const {
    env,
    var: { visitor, log },
  } = c;
  const phone = await parsePhone(env, typedPhone, field || visitor.country, log);
  if (!phone) throw new Refusal('phone_incorrect');
  const site = siteOrigin(env, c.req.url);
  const sender = throwIfRefused(senderName(name, ourNames(env, site)));
  const { e164, country } = phone;
  const rule = countryRule(env, country, log);
  // Sharing without an end needs reminders by SMS.
  const needsSms = via === 'sms' || duration === 'until_stopped';
  const refusal = needsSms ? smsRefusal(env, phone, log) : null;
  if (refusal) throw new Refusal(refusal);
  const zones = await zonesOfNumber(env, e164, country, log);
  return {
    name: sender.text,
    duration,
    via,
    e164,
    country,
    zones,
    site,
    cents: via === 'sms' ? (rule?.cents ?? 0) : 0,
    requesterBrowser: provenId(visitor),
  };
}

/** The most messages of an account whose e-mail is not confirmed. */
const maxKept = 5;

/** Adds the reason why a message was not sent, or a shared location is not shown, in the requester's language. */
const withReason = ({ var: { visitor } }: Context<App>, view: RequesterView) => ({
  ...view,
  reason: view.refusal && translationsFor(visitor.language).errors(view.refusal),
});

const inviteeObject = (c: Context<App>, inviteeKey: string) =>
  c.env.INVITATIONS.getByName(inviteeKey);

export const previewInvitationSms = createHandlers(bearer, jsonBody(previewBody), async (c) => {
  const request = await parseRequest(c, c.req.valid('json'), 'sms');
  const { country, duration, name, site, zones } = request;
  const texts = await smsTextsFor(country, c.env, c.var.log);
  const text = invitationSms(c.env, texts, duration, { name, site, code: '…' });
  const sendsAt = nextDaytime(zones, Date.now());
  const sends_at = sendsAt > Date.now() ? sendsAt : null;
  return c.json({ data: { text, language: smsLanguage(country), sends_at } });
});

export const createInvitation = createHandlers(bearer, jsonBody(inviteBody), async (c) => {
  const body = c.req.valid('json');
  const request = await parseRequest(c, body, body.via);
  const inviteeKey = await phoneHash(c.env, request.e164);
  const { account, session } = c.var;
  const invitee = inviteeObject(c, inviteeKey);
  const identities = await requesterIdentities(c);
  const invitation = { ...request, account, inviteeKey, identities };
  if (session.verifiedAt === null) {
    if (body.via === 'link' || session.app) throw new Refusal('email_unverified');
    const others = await listInvitationEntries(
      accountDatabase(c.env, account),
      account,
      Date.now(),
    );
    const isNew = !others.some((one) => one.inviteeKey === inviteeKey);
    if (isNew && others.length >= maxKept) throw new Refusal('daily_invitation_limit');
    const { view } = throwIfRefused(await invitee.keep(invitation));
    await refuseIfDeleted(c.env, account, inviteeKey);
    // An outside product sends receipts of its own, without our link.
    if (c.env.PRODUCT_API_URL) emailConfirmation(c);
    return c.json({ data: withReason(c, view) }, 202);
  }
  const { view, code } = throwIfRefused(await invitee.invite(invitation));
  await refuseIfDeleted(c.env, account, inviteeKey);
  return c.json({
    data: withReason(c, view),
    ...(code && { link: invitationLink(request.site, code) }),
  });
});

/** Sends the account's kept messages if its e-mail is confirmed. @throws when some invitee's object did not respond */
async function sendKeptMessages(env: App['Bindings'], account: AccountId): Promise<void> {
  const entries = await listInvitationEntries(accountDatabase(env, account), account, Date.now());
  const inviteeKeys = new Set(entries.map(({ inviteeKey }) => inviteeKey));
  const invitees = [...inviteeKeys].map((inviteeKey) => env.INVITATIONS.getByName(inviteeKey));
  await Promise.all(invitees.map((invitee) => invitee.sendKept(account)));
}

/** Runs after a call that may have confirmed an e-mail. After a failure the messages' own alarm sends them. */
export const sendKeptAfter = createMiddleware<App>(async (c, next) => {
  await next();
  const { account } = c.var;
  if (!c.res.ok || !account) return;
  c.executionCtx.waitUntil(
    sendKeptMessages(c.env, account).catch((error) => {
      c.var.log('warn', 'kept_message_delayed', { reason: error?.name ?? 'thrown' });
    }),
  );
});

export const listInvitations = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const entries = await listInvitationEntries(accountDatabase(c.env, account), account, Date.now());
  const identities = entries.length > 0 ? await requesterIdentities(c) : [];
  const views = entries.map(({ id, inviteeKey }) =>
    inviteeObject(c, inviteeKey).viewForRequester(id, account, identities),
  );
  const known = (await Promise.all(views)).filter((view) => view !== undefined);
  // Only the verified owner of the mailbox may see positions.
  const isVerified = session.verifiedAt !== null;
  const shown = isVerified ? known : known.filter(({ state }) => state === 'kept' && !session.app);
  const data = shown.map((view) => withReason(c, view));
  return c.json({ data, email_verified: isVerified });
});

/** Answers with the view after an action on an invitation of the caller. @throws Refusal `invitation_unknown` */
async function act(
  c: Context<App>,
  perform: (
    invitee: ReturnType<typeof inviteeObject>,
    id: InvitationId,
  ) => Promise<RequesterView | undefined>,
) {
  const id = (c.req.param('id') ?? '') as InvitationId;
  const { account } = c.var;
  const found = await findInvitationEntry(accountDatabase(c.env, account), account, id);
  const data = found && (await perform(inviteeObject(c, found.inviteeKey), found.id));
  if (!data) throw new Refusal('invitation_unknown');
  return c.json({ data: withReason(c, data) });
}

export const sendKeptMessage = createHandlers(bearer, async (c) => {
  requireMailbox(c);
  const requesterBrowser = provenId(c.var.visitor);
  const owner = { requesterBrowser, identities: await requesterIdentities(c) };
  return act(c, (invitee, id) => invitee.agreeToKept(id, c.var.account, owner));
});

export const cancelInvitation = createHandlers(bearer, (c) =>
  act(c, (invitee, id) => invitee.cancel(id, c.var.account)),
);
