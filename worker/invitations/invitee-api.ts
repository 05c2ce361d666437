import type { Context } from 'hono';
import * as v from 'valibot';
import { codeHash } from '../accounts/one-time-codes.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { personOf } from './invitation-index.ts';
import type { Answered } from './invitee-actions.ts';

const code = v.pipe(v.string(), v.regex(/^[\w-]{22}$/));
const withCode = v.object({ code });
const within = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most));
const withPosition = v.object({
  code,
  position: v.object({
    latitude: within(90),
    longitude: within(180),
    accuracy: v.pipe(v.number(), v.minValue(0), v.maxValue(100_000)),
  }),
});
const withReport = v.object({ code, report: v.boolean() });
const withPhone = v.object({ code, phone: v.pipe(v.string(), v.maxLength(60)) });
/** Digits of keyboards in Arabic, Persian and Japanese; the last four bits are the value. */
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;
const digits = v.pipe(
  v.string(),
  v.maxLength(60),
  v.transform((typed) =>
    typed
      .replace(/[\s\p{Pd}]/gu, '')
      .replace(otherDigits, (digit) => String(digit.charCodeAt(0) & 15)),
  ),
);
const withDigits = v.object({ code, digits });

/** No code of ours looks like that. */
const unknown = { code: 'invitation_unknown' } as const;

type Object = ReturnType<App['Bindings']['INVITATIONS']['getByName']>;

/**
 * The object of a code's person, and the code's hash. The browser that made a link is refused: who
 * asks must not answer.
 */
async function personBehind(c: Context<App>, written: string) {
  const hash = await codeHash(written);
  const found = await personOf(c.env.DB, hash, c.var.visitor.uuid, Date.now());
  if (found === null) throw new Refusal('invitation_unknown');
  if (found.own) throw new Refusal('invitation_own');
  return { person: c.env.INVITATIONS.getByName(found.person), hash };
}

/** Has the object of a code's person do something, and answers what the page shows then. */
async function answered(
  c: Context<App>,
  written: string,
  act: (person: Object, hash: string) => Promise<Answered>,
) {
  const { person, hash } = await personBehind(c, written);
  const answer = await act(person, hash);
  if ('refusal' in answer) throw new Refusal(answer.refusal);
  return c.json({ data: answer.view }, 200, { 'Cache-Control': 'no-store' });
}

/**
 * What the located person does on their page. Who has the code is taken for the person; there is no
 * account. Only what binds everybody who may ask needs proof of the number.
 */
export const openInvitation = createHandlers(jsonBody(withCode, unknown), (c) =>
  answered(c, c.req.valid('json').code, (person, hash) => person.open(hash)),
);

export const acceptInvitation = createHandlers(jsonBody(withPosition, unknown), (c) => {
  const { code, position } = c.req.valid('json');
  const here = { ...position, at: Date.now() };
  return answered(c, code, (person, hash) => person.accept(hash, here));
});

export const declineInvitation = createHandlers(jsonBody(withCode, unknown), (c) =>
  answered(c, c.req.valid('json').code, (person, hash) => person.decline(hash)),
);

export const stopInvitation = createHandlers(jsonBody(withCode, unknown), (c) =>
  answered(c, c.req.valid('json').code, (person, hash) => person.stop(hash)),
);

export const blockRequester = createHandlers(jsonBody(withReport, unknown), (c) => {
  const { code, report } = c.req.valid('json');
  return answered(c, code, (person, hash) => person.block(hash, report));
});

export const textOptOutCode = createHandlers(jsonBody(withPhone, unknown), async (c) => {
  const { code, phone } = c.req.valid('json');
  const { person, hash } = await personBehind(c, code);
  const refusal = await person.textStopCode(hash, phone, siteOrigin(c.env, c.req.url));
  if (refusal) throw new Refusal(refusal);
  return c.json({ data: {} }, 202, { 'Cache-Control': 'no-store' });
});

export const optOutWithCode = createHandlers(jsonBody(withDigits, unknown), (c) => {
  const { code, digits } = c.req.valid('json');
  return answered(c, code, (person, hash) => person.stopWithCode(hash, digits));
});
