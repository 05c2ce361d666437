import type { Context } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { signingSecret, verificationSecrets } from '../http/signing-secret.ts';
import { accessToken, accountOfToken, bearer, type Session } from './access-token.ts';
import { accountByEmail } from './account-table.ts';
import { createAppCode, redeemAppCode } from './deeplinks.ts';
import { inspectCode } from './inspect-code.ts';
import { formatManualCode, manualCodeFor, parseManualCode } from './manual-code.ts';
import {
  endManualCode,
  manualCodeSeed,
  spendManualCode,
  tryManualCode,
} from './manual-code-table.ts';
import { type CodeFailure, endCodes } from './one-time-codes.ts';
import { qrCode } from './qr-code.ts';

export const codeSchema = v.pipe(v.string(), v.maxLength(100));

const check = v.object({ code: codeSchema });
/** With an e-mail it is the code that was typed by hand. */
const redeem = v.object({
  code: codeSchema,
  email: v.optional(v.pipe(v.string(), v.maxLength(254))),
});

// In the fragment, so that the code reaches no server's log on its way.
const linkOf = (c: Context<App>, code: string) => `${new URL(c.req.url).origin}/d#${code}`;

async function answerLink(c: Context<App>): Promise<Response> {
  const { account, session } = c.var;
  const code = await createAppCode(c.env.DB, { account, epoch: session.epoch }, Date.now());
  const link = linkOf(c, code);
  return c.json({ data: { short_deeplink: link, qr_code: await qrCode(link) } });
}

/** Tells a code that another account used from one that the asking account used itself. */
async function refusalOf(c: Context<App>, { state, account }: CodeFailure): Promise<Refusal> {
  if (state !== 'used') return new Refusal(`deeplink_${state}`);
  const asking = await accountOfToken(c);
  return new Refusal(asking && asking.id !== account ? 'deeplink_used_elsewhere' : 'deeplink_used');
}

/**
 * The session of an e-mail and the code by hand; every no is the same no, and takes the same calls, so
 * that its time does not tell whether there is an account.
 */
async function byHand(c: Context<App>, email: string, typed: string): Promise<Session> {
  const now = Date.now();
  const code = parseManualCode(typed);
  if (!code) throw new Refusal('manual_code_wrong');
  const known = await accountByEmail(c.env.DB, email.trim());
  const seed = await tryManualCode(c.env.DB, known?.id ?? '', now);
  if (!known || !seed) throw new Refusal('manual_code_wrong');
  const codes = verificationSecrets(c.env).map((secret) => manualCodeFor(secret, known.id, seed));
  const fits = (await Promise.all(codes)).includes(code);
  const epoch = fits ? await spendManualCode(c.env.DB, known.id, seed, now) : null;
  if (epoch === null) throw new Refusal('manual_code_wrong');
  return { account: known.id, epoch };
}

async function byLink(c: Context<App>, code: string): Promise<Session> {
  const redeemed = await redeemAppCode(c.env.DB, code, Date.now());
  if (redeemed.state !== 'redeemed') throw await refusalOf(c, redeemed);
  return redeemed;
}

/** The way from the funnel into the app: a code of one use, as a link, a picture, and by hand. */
export const getAppLink = createHandlers(bearer, answerLink);

export const renewAppLink = createHandlers(bearer, async (c) => {
  await endCodes(c.env.DB, c.var.account, 'app', Date.now());
  await endManualCode(c.env.DB, c.var.account);
  return answerLink(c);
});

export const getManualCode = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const seed = await manualCodeSeed(c.env.DB, account, session.epoch, Date.now());
  if (!seed) throw new Refusal('unauthorized');
  const code = await manualCodeFor(signingSecret(c.env), account, seed);
  return c.json({ data: { code: formatManualCode(code) } });
});

export const checkAppLink = createHandlers(jsonBody(check), async (c) => {
  const { code } = c.req.valid('json');
  const looked = await inspectCode(c, code, ['app']);
  const qr_code = looked.state === 'ready' ? await qrCode(linkOf(c, code)) : null;
  return c.json({ data: { ...looked, qr_code } }, 200, { 'Cache-Control': 'no-store' });
});

export const redeemAppLink = createHandlers(jsonBody(redeem), async (c) => {
  const { code, email } = c.req.valid('json');
  const session = await (email === undefined ? byLink(c, code) : byHand(c, email, code));
  const data = { access_token: await accessToken(c.env, { ...session, app: true }) };
  return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
});
