import type { Context } from 'hono';
import * as v from 'valibot';
import { typedCode, typedEmail } from '../../locales/format/typed-code.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { accountDatabase, codeDatabase } from '../platform/account-databases.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { hmacBytesOf, signingSecret, verificationSecrets } from '../platform/hmac.ts';
import { type AccountId, accountIdOf } from '../platform/types.ts';
import { accessToken, accountOfToken, bearer, type Session } from './access-token.ts';
import { findAccountByEmail } from './account-by-email.ts';
import { checkCode } from './check-code.ts';
import {
  currentSeed,
  endManualCode,
  manualCodeSeed,
  markManualCodeUsed,
} from './manual-code-table.ts';
import { type CodeFailure, createAppCode, endCodes, redeemCode } from './one-time-codes.ts';
import { reserveManualCode } from './signup-limits.ts';

export const codeSchema = v.pipe(v.string(), v.maxLength(100));

const check = v.object({ code: codeSchema });

const redeem = v.object({
  code: codeSchema,
  email: v.optional(v.pipe(v.string(), v.maxLength(254))),
});

// In the fragment, so that no server log on the way contains the code.
const linkOf = (c: Context<App>, code: string) => `${new URL(c.req.url).origin}/d#${code}`;

async function qrCode(text: string): Promise<string> {
  const module = await import('./qr-code.ts');
  return module.qrCode(text);
}

async function answerLink(c: Context<App>): Promise<Response> {
  const { account, session } = c.var;
  const code = await createAppCode(
    accountDatabase(c.env, account),
    { account, epoch: session.epoch },
    Date.now(),
  );
  const link = linkOf(c, code);
  return c.json({ data: { short_deeplink: link, qr_code: await qrCode(link) } });
}

/** Distinguishes a code that another account used from one that this account used. */
async function refusalOf(c: Context<App>, { kind, account }: CodeFailure): Promise<Refusal> {
  if (kind !== 'used') return new Refusal(`deeplink_${kind}`);
  const caller = await accountOfToken(c);
  return new Refusal(caller && caller.id !== account ? 'deeplink_used_elsewhere' : 'deeplink_used');
}

/** Every refusal is the same and makes the same calls, so neither it nor its time reveals an account. */
async function sessionByManualCode(
  c: Context<App>,
  email: string,
  typed: string,
): Promise<Session> {
  const now = Date.now();
  const code = parseManualCode(typed);
  if (!code) throw new Refusal('manual_code_wrong');
  const mailbox = typedEmail(email);
  const release = await reserveManualCode(c, mailbox);
  if (!release) throw new Refusal('rate_limited');
  const known = await findAccountByEmail(c.env, mailbox);
  const id = known?.id ?? accountIdOf('');
  const db = accountDatabase(c.env, id);
  const seed = await currentSeed(db, id, now);
  if (!known || !seed) throw new Refusal('manual_code_wrong');
  const codes = verificationSecrets(c.env).map((secret) => manualCodeFor(secret, known.id, seed));
  const matches = (await Promise.all(codes)).includes(code);
  const epoch = matches ? await markManualCodeUsed(db, known.id, seed, now) : null;
  if (epoch === null) throw new Refusal('manual_code_wrong');
  // If this fails, the count expires within the hour.
  c.executionCtx.waitUntil(release());
  return { account: known.id, epoch };
}

async function sessionByLink(c: Context<App>, code: string): Promise<Session> {
  const redeemed = await redeemCode(codeDatabase(c.env, code), code, 'app', Date.now());
  if (redeemed.kind !== 'redeemed') throw await refusalOf(c, redeemed);
  return redeemed;
}

export const getAppLink = createHandlers(bearer, answerLink);

export const renewAppLink = createHandlers(bearer, async (c) => {
  const { account } = c.var;
  const db = accountDatabase(c.env, account);
  await endCodes(db, account, 'app', Date.now());
  await endManualCode(db, account);
  return answerLink(c);
});

export const getManualCode = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const db = accountDatabase(c.env, account);
  const seed = await manualCodeSeed(db, account, session.epoch, Date.now());
  if (!seed) throw new Refusal('unauthorized');
  const code = await manualCodeFor(signingSecret(c.env), account, seed);
  return c.json({ data: { code: formatManualCode(code) } });
});

export const checkAppLink = createHandlers(jsonBody(check), async (c) => {
  const { code } = c.req.valid('json');
  const inspection = await checkCode(c, code, ['app']);
  const qr_code = inspection.state === 'ready' ? await qrCode(linkOf(c, code)) : null;
  return c.json({ data: { ...inspection, qr_code } });
});

export const redeemAppLink = createHandlers(jsonBody(redeem), async (c) => {
  const { code, email } = c.req.valid('json');
  const session = await (email === undefined
    ? sessionByLink(c, code)
    : sessionByManualCode(c, email, code));
  const data = { access_token: await accessToken(c.env, { ...session, app: true }) };
  return c.json({ data });
});

const alphabet = 'ACDEFGHJKMNPQRTVWXY34679';

const length = 8;

export function parseManualCode(typed: string): string | null {
  const bare = typedCode(typed).toUpperCase().replace(/[-_.]/g, '');
  return bare.length === length && [...bare].every((letter) => alphabet.includes(letter))
    ? bare
    : null;
}

export function formatManualCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** 36 bits, derived from a seed. It is stored nowhere, so a stolen database does not reveal it. */
export async function manualCodeFor(
  secret: string,
  account: AccountId,
  seed: string,
): Promise<string> {
  const mac = await hmacBytesOf(secret, 'manual-code', `${account}:${seed}`);
  let rest = new DataView(mac).getBigUint64(0);
  let code = '';
  for (let index = 0; index < length; index += 1) {
    code += alphabet[Number(rest % BigInt(alphabet.length))];
    rest /= BigInt(alphabet.length);
  }
  return code;
}
