import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { bearer, requireMailbox } from '../accounts/access-token.ts';
import { emailConfirmation } from '../accounts/sign-in-link-api.ts';
import { brandOf } from '../content/rules/themes.ts';
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
import { type AccountId, type InvitationId, invitationIdOf, provenId } from '../platform/types.ts';
import {
  findInvitationEntry,
  listInvitationEntries,
  maxUnconfirmedPeople,
  phoneHash,
  refuseIfDeleted,
} from './invitation-index.ts';
import { requesterIdentities } from './requester-right.ts';
import { type Duration, durations, type InvitationWords } from './rules/invitation.ts';
import type { RequesterView } from './rules/invitation-view.ts';
import { morningFor } from './rules/quiet-hours.ts';
import { senderName } from './rules/sender-name.ts';
import type { InvitationRequest } from './send-invitation.ts';
import { invitationLink, ownMessage, smsEnding, smsLanguage, smsTextsFor } from './sms/sms-copy.ts';

const invitationFields = {
  phone: v.pipe(v.string(), v.maxLength(60)),
  country: v.optional(v.pipe(v.string(), v.maxLength(2))),
  name: v.pipe(v.string(), v.maxLength(100)),
  duration: v.picklist(durations),
};
const previewBody = jsonBody(
  v.object({
    phone: v.union([v.literal(''), invitationFields.phone]),
    country: invitationFields.country,
  }),
  { phone: 'phone_incorrect' },
);
const inviteBody = v.object({
  ...invitationFields,
  via: v.picklist(['sms', 'link']),
  /** Whether the answer has a QR code, for a phone that scans it from this screen. */
  qr: v.optional(v.boolean(), false),
});

/** The product's name, the company's, its first word, and the words of our domain. */
function ourNames(env: App['Bindings'], site: string): string[] {
  const { COMPANY_NAME: company = '' } = env;
  const domain = new URL(site).hostname.split('.').slice(0, -1);
  return [brandOf(env), company, company.split(' ', 1)[0] ?? '', ...domain];
}

async function parseRequest(
  c: Context<App>,
  { phone: typedPhone, country: field, name, duration, via }: v.InferOutput<typeof inviteBody>,
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

/** Adds the reason why a message was not sent, or a shared location is not shown, in the requester's language. */
const withReason = ({ var: { visitor } }: Context<App>, view: RequesterView) => ({
  ...view,
  reason: view.refusal && translationsFor(visitor.language).errors(view.refusal),
});

const inviteeObject = (c: Context<App>, inviteeKey: string) =>
  c.env.INVITATIONS.getByName(inviteeKey);

/** What the invitee would read, in their language; the page inserts the name while it is typed. */
export const previewInvitation = createHandlers(bearer, previewBody, async (c) => {
  const {
    env,
    var: { visitor, log },
  } = c;
  const body = c.req.valid('json');
  const phone = body.phone
    ? await parsePhone(env, body.phone, body.country || visitor.country, log)
    : null;
  if (body.phone && !phone) throw new Refusal('phone_incorrect');
  const country = phone ? phone.country : visitor.country || null;
  const texts = await smsTextsFor(country, env, log);
  const values = { name: '{{name}}', site: siteOrigin(env, c.req.url), code: '…' };
  const messages = durations.map((duration) => [
    duration,
    ownMessage(env, texts, duration, values),
  ]);
  const zones = phone ? await zonesOfNumber(env, phone.e164, phone.country, log) : [];
  return c.json({
    data: {
      messages: Object.fromEntries(messages) as Record<Duration, string>,
      language: smsLanguage(country),
      stop: smsEnding(env, texts, values),
      sends_at: morningFor(zones, Date.now()),
      by_sms: phone !== null && smsRefusal(env, phone, log) === null,
    },
  });
});

/**
 * While nobody has proven the mailbox, we send no SMS for the account, neither an invitation nor a reminder, and only
 * the browser tells who the requester is.
 */
async function unconfirmedInvitation(
  c: Context<App>,
  request: Omit<InvitationRequest, 'account' | 'identities'>,
): Promise<Pick<InvitationRequest, 'identities' | 'unconfirmedBrowser'>> {
  const { account, session } = c.var;
  if (session.app) throw new Refusal('email_unverified');
  const db = accountDatabase(c.env, account);
  const others = await listInvitationEntries(db, account, Date.now());
  const isNew = !others.some(({ inviteeKey }) => inviteeKey === request.inviteeKey);
  if (isNew && new Set(others.map((other) => other.inviteeKey)).size >= maxUnconfirmedPeople)
    throw new Refusal('daily_invitation_limit');
  const [mailbox, ...browser] = await requesterIdentities(c);
  if (request.via === 'sms') return { identities: [mailbox, ...browser] };
  const { requesterBrowser } = request;
  if (request.duration === 'until_stopped' || !requesterBrowser || c.var.visitor.isNew)
    throw new Refusal('email_unverified');
  return { identities: browser, unconfirmedBrowser: requesterBrowser };
}

/** The link, and the message with it for the requester's own phone. */
async function forOwnPhone(
  { env, var: { log } }: Context<App>,
  { e164, country, site }: InvitationRequest,
  { code, words }: { code: string; words: InvitationWords },
  withQr: boolean,
) {
  // Logged there. The link alone is enough.
  const texts = await smsTextsFor(country, env, log).catch(() => null);
  if (!texts) return { link: invitationLink(site, code), sms: '' };
  const text = ownMessage(env, texts, words.duration, { name: words.name, site, code });
  const codes = withQr ? await import('../accounts/qr-code.ts') : null;
  return {
    link: invitationLink(site, code),
    // `?&` is understood by iPhones and by Android.
    sms: `sms:${e164}?&body=${encodeURIComponent(text)}`,
    // Unencoded, so with larger squares.
    ...(codes && { qr_code: codes.qrCode(`SMSTO:${e164}:${text}`) }),
  };
}

const validInvitation = jsonBody(inviteBody, {
  phone: 'phone_incorrect',
  name: 'name_refused',
});

export const createInvitation = createHandlers(bearer, validInvitation, async (c) => {
  const body = c.req.valid('json');
  const { account, session } = c.var;
  const parsed = await parseRequest(c, body);
  const request = { ...parsed, inviteeKey: await phoneHash(c.env, parsed.e164) };
  const invitee = inviteeObject(c, request.inviteeKey);
  const isConfirmed = session.verifiedAt !== null;
  const requester = isConfirmed
    ? { identities: await requesterIdentities(c) }
    : await unconfirmedInvitation(c, request);
  const invitation = { ...request, ...requester, account };
  if (!isConfirmed && body.via === 'sms') {
    const { view } = throwIfRefused(await invitee.keep(invitation));
    await refuseIfDeleted(c.env, account, request.inviteeKey);
    emailConfirmation(c);
    return c.json({ data: withReason(c, view) }, 202);
  }
  const { view, code, words } = throwIfRefused(await invitee.invite(invitation));
  await refuseIfDeleted(c.env, account, request.inviteeKey);
  return c.json({
    data: withReason(c, view),
    ...(code && (await forOwnPhone(c, invitation, { code, words }, body.qr))),
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

const withoutPosition = (view: RequesterView): RequesterView => ({
  ...view,
  position: null,
  refusal: view.state === 'accepted' ? 'email_unverified' : view.refusal,
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
  const shown = isVerified ? known : session.app ? [] : known.map(withoutPosition);
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
  const id = invitationIdOf(c.req.param('id') ?? '');
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
