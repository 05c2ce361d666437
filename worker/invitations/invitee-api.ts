import type { Context } from 'hono';
import * as v from 'valibot';
import { digitsOf } from '../../locales/format/plain-text.ts';
import { codeHash } from '../accounts/one-time-codes.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import { ipPrefix } from '../http/client-ip.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { codeDatabase } from '../platform/account-databases.ts';
import type { App } from '../platform/env.ts';
import { Refusal, throwIfRefused } from '../platform/errors.ts';
import { hmacOf } from '../platform/hmac.ts';
import { provenId } from '../platform/types.ts';
import { findInviteeByCode } from './invitation-index.ts';
import type { InviteeResult } from './invitee-actions.ts';

const code = v.pipe(v.string(), v.regex(/^([\da-f]{4})?[\w-]{22}$/));
const withCode = v.object({ code });
const between = (limit: number) => v.pipe(v.number(), v.minValue(-limit), v.maxValue(limit));
const withPosition = v.object({
  code,
  position: v.object({
    latitude: between(90),
    longitude: between(180),
    accuracy: v.pipe(v.number(), v.minValue(0), v.maxValue(100_000)),
  }),
});
const withReport = v.object({ code, report: v.boolean() });
const withPhone = v.object({ code, phone: v.pipe(v.string(), v.maxLength(60)) });
const digits = v.pipe(v.string(), v.maxLength(60), v.transform(digitsOf));
const request = v.optional(v.pipe(v.string(), v.maxLength(64)));
const withDigits = v.object({ code, digits, request });

const unknown = { code: 'invitation_unknown' } as const;
const otherPhone = { ...unknown, phone: 'number_not_invited' } as const;
const wrongDigits = { ...unknown, digits: 'opt_out_code_wrong' } as const;

type InviteeStub = ReturnType<App['Bindings']['INVITATIONS']['getByName']>;

/** A caller with the code counts as the invitee, except the requester's own browser. */
async function inviteeOf(c: Context<App>, code: string) {
  const hash = await codeHash(code);
  const found = await findInviteeByCode(
    codeDatabase(c.env, code),
    hash,
    provenId(c.var.visitor),
    Date.now(),
  );
  if (found === null) throw new Refusal('invitation_unknown');
  if (found.isRequester) throw new Refusal('own_invitation');
  return { invitee: c.env.INVITATIONS.getByName(found.inviteeKey), hash };
}

async function respond(
  c: Context<App>,
  code: string,
  act: (invitee: InviteeStub, hash: string) => Promise<InviteeResult>,
) {
  const { invitee, hash } = await inviteeOf(c, code);
  const { view } = throwIfRefused(await act(invitee, hash));
  return c.json({ data: view });
}

export const showInvitation = createHandlers(jsonBody(withCode, unknown), (c) =>
  respond(c, c.req.valid('json').code, (invitee, hash) => invitee.open(hash)),
);

export const acceptInvitation = createHandlers(jsonBody(withPosition, unknown), (c) => {
  const { code, position } = c.req.valid('json');
  const timed = { ...position, at: Date.now() };
  return respond(c, code, (invitee, hash) => invitee.accept(hash, timed));
});

export const declineInvitation = createHandlers(jsonBody(withCode, unknown), (c) =>
  respond(c, c.req.valid('json').code, (invitee, hash) => invitee.decline(hash)),
);

export const stopInvitation = createHandlers(jsonBody(withCode, unknown), (c) =>
  respond(c, c.req.valid('json').code, (invitee, hash) => invitee.stopSharing(hash)),
);

export const blockRequester = createHandlers(jsonBody(withReport, unknown), (c) => {
  const { code, report } = c.req.valid('json');
  return respond(c, code, (invitee, hash) => invitee.block(hash, report));
});

/** A whole /48, because one person may have it. Without an IP, as in development, all callers are one. */
async function networkOf({ env, req }: Context<App>): Promise<string> {
  const ip = req.header('cf-connecting-ip') ?? '';
  return hmacOf(env.PHONE_HASH_SECRET ?? '', 'address', ipPrefix(ip, 3));
}

export const textOptOutCode = createHandlers(jsonBody(withPhone, otherPhone), async (c) => {
  const { code, phone } = c.req.valid('json');
  const { invitee, hash } = await inviteeOf(c, code);
  const asked = { phone, site: siteOrigin(c.env, c.req.url), network: await networkOf(c) };
  const { request } = throwIfRefused(await invitee.sendOptOutCode(hash, asked));
  return c.json({ data: { request } }, 202);
});

export const optOutWithCode = createHandlers(jsonBody(withDigits, wrongDigits), async (c) => {
  const { code, digits, request = null } = c.req.valid('json');
  const caller = { request, network: await networkOf(c) };
  return respond(c, code, (invitee, hash) => invitee.optOutWithCode(hash, digits, caller));
});
