import type { Context } from 'hono';
import * as v from 'valibot';
import { emailCode } from '../email/email-code.ts';
import { enqueueEmail, siteOrigin } from '../email/enqueue-email.ts';
import type { TemplateWithCode } from '../email/templates/index.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { signingSecret } from '../http/signing-secret.ts';
import { accessToken, bearer } from './access-token.ts';
import { accountByEmail, accountById, type KnownAccount } from './account-table.ts';
import { codeSchema } from './app-link-api.ts';
import { appCodeLifetimeMs } from './deeplinks.ts';
import { inspectCode } from './inspect-code.ts';
import { findCode, type Purpose, storeCode } from './one-time-codes.ts';
import { signInByCode, signInPurposes } from './sign-in-codes.ts';
import { mayRequestEmail, maySendEmail } from './sign-up-limits.ts';
import { emailSchema, type SignedUp } from './signup-api.ts';

type MailedPurpose = Extract<Purpose, 'app' | 'sign_in'>;

/** Which letter carries a code of each purpose, and how long that lives, in ms. */
const kinds: Record<MailedPurpose, { letter: TemplateWithCode; lives: number }> = {
  sign_in: { letter: 'sign_in', lives: 15 * 60 * 1000 },
  app: { letter: 'app_link', lives: appCodeLifetimeMs },
};

const withCode = v.object({ code: codeSchema });
/** The page that the link shall lead to, when it is not the funnel. */
const page = { for: v.optional(v.picklist(['manage', 'cancel'])) };
/** Who asks: by e-mail, or by an older link of the same kind. */
const asking = v.union([
  v.object({ email: emailSchema, ...page }),
  v.object({ code: codeSchema, ...page }),
]);

type Recipient = Pick<KnownAccount, 'id' | 'email' | 'epoch'>;

/** Mails an account a new code; refused `too_many_emails` or `email_failed`. */
async function mailCode(
  c: Context<App>,
  { id: account, email, epoch }: Recipient,
  purpose: MailedPurpose,
  leads?: 'manage' | 'cancel',
): Promise<void> {
  const now = Date.now();
  if (!(await maySendEmail(c.env, email))) throw new Refusal('too_many_emails');
  const { lives } = kinds[purpose];
  const letter: TemplateWithCode = leads ? `${leads}_link` : kinds[purpose].letter;
  const id = crypto.randomUUID();
  const code = await emailCode(signingSecret(c.env), id);
  await storeCode(c.env.DB, code, { account, epoch, purpose, lives }, now);
  const site = siteOrigin(c.env, c.req.url);
  const mail = { id, template: letter, account, site, until: now + lives, data: null };
  if (!(await enqueueEmail(c.env, mail, c.var.log))) {
    throw new Refusal('email_failed');
  }
}

/** Mails whoever it is, if anybody, behind an answer that says and takes the same for all. */
async function mailLater(
  c: Context<App>,
  purpose: MailedPurpose,
  find: () => Promise<Recipient | null>,
  leads?: 'manage' | 'cancel',
): Promise<Response> {
  if (!(await mayRequestEmail(c))) throw new Refusal('too_many_emails');
  const work = async () => {
    const account = await find();
    if (account) await mailCode(c, account, purpose, leads);
  };
  c.executionCtx.waitUntil(
    work().catch((error) => {
      const code = error instanceof Refusal ? error.code : undefined;
      const reason = error instanceof Error ? error.name : 'thrown';
      c.var.log(code === 'too_many_emails' ? 'info' : 'error', 'mail_not_asked', { code, reason });
    }),
  );
  return c.json({ data: {} }, 202, { 'Cache-Control': 'no-store' });
}

/** The account of an older code, whatever became of the code. */
async function ofCode(c: Context<App>, code: string, purposes: readonly Purpose[]) {
  const { account } = await findCode(c.env.DB, code, purposes, Date.now());
  return account === undefined ? null : accountById(c.env.DB, account);
}

/**
 * Signs a browser in by a code. Whether the plan is paid is asked before the code is used up, so that
 * a failure costs nothing.
 */
async function open(c: Context<App>, code: string) {
  const { uuid } = c.var.visitor;
  const { account: id } = await findCode(c.env.DB, code, signInPurposes, Date.now());
  const paid = id ? await c.env.PURCHASES.getByName(id).paid() : false;
  const opened = await signInByCode(c.env.DB, code, uuid, Date.now());
  if (opened.state !== 'signed_in') throw new Refusal(`sign_in_link_${opened.state}`);
  const { id: account, email, epoch } = opened.account;
  const signedUp: SignedUp = {
    access_token: await accessToken(c.env, { account, epoch }),
    deeplink_token: opened.deeplink,
    entity: { external_user_id: account, uuid },
  };
  return { ...signedUp, email, paid };
}

/** Mails with a link in them: back to this site, or into the app. */
export const requestSignInLink = createHandlers(
  jsonBody(asking, { email: 'email_invalid' }),
  (c) => {
    const asked = c.req.valid('json');
    const find = () =>
      'code' in asked
        ? ofCode(c, asked.code, signInPurposes)
        : accountByEmail(c.env.DB, asked.email);
    return mailLater(c, 'sign_in', find, asked.for);
  },
);

export const checkSignInLink = createHandlers(jsonBody(withCode), async (c) => {
  const data = await inspectCode(c, c.req.valid('json').code, signInPurposes);
  return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
});

export const openSignInLink = createHandlers(jsonBody(withCode), async (c) => {
  const data = await open(c, c.req.valid('json').code);
  return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
});

export const resendAppLink = createHandlers(jsonBody(withCode), (c) => {
  const { code } = c.req.valid('json');
  return mailLater(c, 'app', () => ofCode(c, code, ['app']));
});

export const emailAppLink = createHandlers(bearer, async (c) => {
  if (!(await mayRequestEmail(c))) throw new Refusal('too_many_emails');
  await mailCode(c, c.var.session, 'app');
  return c.json({ data: {} }, 202);
});
