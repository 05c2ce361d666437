import type { Context } from 'hono';
import { Hono } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import type { LetterWithCode } from '../mail/letters.ts';
import { sendMail, siteOf } from '../mail/send.ts';
import { mailCodeOf } from '../mail-code.ts';
import { accountByEmail, accountById, noteVerified } from '../storage/accounts.ts';
import { findCode, keepCode, type Opens, redeemCode } from '../storage/codes.ts';
import { appCodeLives, createDeeplink } from '../storage/deeplinks.ts';
import { mayMail } from '../storage/mails.ts';
import { accessToken, bearer, secretOf } from '../token.ts';
import { jsonBody } from './body.ts';
import { codeSchema } from './deeplink.ts';
import { emailSchema, type SignedUp } from './signup.ts';

/** Which letter carries a code of each kind, and how long that lives, in ms. */
const kinds: Record<Opens, { letter: LetterWithCode; lives: number }> = {
  site: { letter: 'sign_in', lives: 15 * 60 * 1000 },
  app: { letter: 'app_link', lives: appCodeLives },
};

const withCode = v.object({ code: codeSchema });
/** The page that the link shall lead to, when it is not the funnel. */
const page = { for: v.optional(v.picklist(['manage', 'cancel'])) };
/** Who asks: by e-mail, or by an older link of the same kind. */
const asking = v.union([
  v.object({ email: emailSchema, ...page }),
  v.object({ code: codeSchema, ...page }),
]);

/** Mails an account a new code; refused `mails_enough` or `mail_failed`. */
async function mailCode(
  c: Context<App>,
  account: string,
  opens: Opens,
  leads?: 'manage' | 'cancel',
): Promise<void> {
  const now = Date.now();
  if (!(await mayMail(c.env.DB, account, now))) throw new Refusal('mails_enough');
  const { lives } = kinds[opens];
  const letter: LetterWithCode = leads ? `${leads}_link` : kinds[opens].letter;
  const id = crypto.randomUUID();
  const code = await mailCodeOf(secretOf(c.env), id);
  await keepCode(c.env.DB, code, { account, opens, lives }, now);
  const site = siteOf(c.env, c.req.url);
  const mail = { id, letter, account, site, until: now + lives, data: null };
  if (!(await sendMail(c.env, mail, c.var.log))) {
    throw new Refusal('mail_failed');
  }
}

/** Mails whoever it is, if anybody, behind an answer that says and takes the same for all. */
function mailLater(
  c: Context<App>,
  opens: Opens,
  find: () => Promise<string | undefined>,
  leads?: 'manage' | 'cancel',
): Response {
  const work = async () => {
    const account = await find();
    if (account) await mailCode(c, account, opens, leads);
  };
  c.executionCtx.waitUntil(
    work().catch((error) => {
      const code = error instanceof Refusal ? error.code : undefined;
      const reason = error instanceof Error ? error.name : 'thrown';
      c.var.log(code === 'mails_enough' ? 'info' : 'error', 'mail_not_asked', { code, reason });
    }),
  );
  return c.json({ data: {} }, 202, { 'Cache-Control': 'no-store' });
}

const ofCode = async (c: Context<App>, code: string, opens: Opens) =>
  (await findCode(c.env.DB, code, opens, Date.now())).account;

/** Lets the owner of a mailbox in. The code is used up last, so that a failure before costs nothing. */
async function open(c: Context<App>, code: string) {
  const { account: id = '' } = await findCode(c.env.DB, code, 'site', Date.now());
  const known = id ? await accountById(c.env.DB, id) : null;
  const paid = known ? await c.env.PURCHASES.getByName(id).paid() : false;
  const deeplink_token = known ? await createDeeplink(c.env.DB, id, Date.now()) : '';
  const { state } = await redeemCode(c.env.DB, code, 'site', Date.now());
  if (state !== 'redeemed' || !known) {
    throw new Refusal(`mail_link_${state === 'redeemed' ? 'unknown' : state}`);
  }
  await noteVerified(c.env.DB, id, Date.now());
  const signedUp: SignedUp = {
    access_token: await accessToken(c.env, id),
    deeplink_token,
    entity: { external_user_id: id, uuid: known.userUuid },
  };
  return { ...signedUp, email: known.email, paid };
}

/** Mails with a link in them: back to this site, or into the app. */
export const mailLink = new Hono<App>()
  .post('/mail-link', jsonBody(asking, { email: 'email_invalid' }), (c) => {
    const asked = c.req.valid('json');
    const find = async () =>
      'code' in asked
        ? ofCode(c, asked.code, 'site')
        : (await accountByEmail(c.env.DB, asked.email))?.id;
    return mailLater(c, 'site', find, asked.for);
  })
  .post('/mail-link/open', jsonBody(withCode), async (c) => {
    const data = await open(c, c.req.valid('json').code);
    return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
  })
  .post('/deeplink/mail', jsonBody(withCode), (c) => {
    const { code } = c.req.valid('json');
    return mailLater(c, 'app', () => ofCode(c, code, 'app'));
  })
  .post('/users/me/deeplink/mail', bearer, async (c) => {
    await mailCode(c, c.var.account, 'app');
    return c.json({ data: {} }, 202);
  });
