import type { Context } from 'hono';
import * as v from 'valibot';
import { keepArms } from '../analytics/visitor-arms.ts';
import { keepCurrency } from '../catalog/kept-currency.ts';
import { emailCode, emailDigits, enqueueEmail, siteOrigin } from '../email/enqueue-email.ts';
import type { TemplateWithCode } from '../email/templates/index.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { accountDatabase, codeDatabase } from '../platform/account-databases.ts';
import { hourMs, minuteMs } from '../platform/durations.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { signingSecret } from '../platform/hmac.ts';
import { reasonOf } from '../platform/log.ts';
import { codeInDatabase, numberInId } from '../platform/rules/database-number.ts';
import { provenId, unknownId } from '../platform/types.ts';
import { accessToken, bearer } from './access-token.ts';
import { findAccountByEmail } from './account-by-email.ts';
import { accountById, type KnownAccount, signOutEverywhere } from './account-table.ts';
import { codeSchema } from './app-link-api.ts';
import { checkCode } from './check-code.ts';
import { type EmailPage, isOwnAccount, mayRequestEmail, maySendEmail } from './email-limits.ts';
import { hasLiveMailboxCode, storeMailboxCode } from './mailbox-code-table.ts';
import {
  appCodeLifetimeMs,
  createCode,
  findCode,
  type Purpose,
  storeCode,
} from './one-time-codes.ts';
import { signInByCode, signInPurposes } from './sign-in-codes.ts';
import { emailSchema, ownVisitorId, proveMailbox, type SignedUp } from './signup-api.ts';

type EmailKind = 'sign_in' | 'app' | 'confirm_email';

interface EmailTerms {
  purpose: Purpose;
  template: TemplateWithCode;
  lifetimeMs: number;
}

const emails: Record<EmailKind, EmailTerms> = {
  sign_in: { purpose: 'sign_in', template: 'sign_in', lifetimeMs: 15 * minuteMs },
  app: { purpose: 'app', template: 'app_link', lifetimeMs: appCodeLifetimeMs },
  // As long as a message waits for it.
  confirm_email: { purpose: 'sign_in', template: 'confirm_email', lifetimeMs: 72 * hourMs },
};

const withCode = v.object({ code: codeSchema });
const withTypedEmail = v.object({
  code: codeSchema,
  email: v.optional(v.pipe(v.string(), v.maxLength(254))),
});

const target = { for: v.optional(v.picklist(['manage', 'cancel'])) };

/** The account by e-mail, or by an older link of the same kind. */
const linkRequest = v.union([
  v.object({ email: emailSchema, ...target }),
  v.object({ code: codeSchema, ...target }),
]);

/** @throws Refusal `too_many_emails`, `email_failed` */
export async function emailCodeTo(
  c: Context<App>,
  recipient: KnownAccount,
  kind: EmailKind,
  {
    page,
    isWithinIp = true,
    id = crypto.randomUUID(),
  }: { page?: EmailPage | undefined; isWithinIp?: boolean; id?: string } = {},
): Promise<void> {
  const now = Date.now();
  const { id: account, epoch } = recipient;
  if (!(await maySendEmail(c, recipient, page, isWithinIp))) throw new Refusal('too_many_emails');
  const { purpose, lifetimeMs } = emails[kind];
  const template: TemplateWithCode = page ? `${page}_link` : emails[kind].template;
  const secret = signingSecret(c.env);
  const code = codeInDatabase(numberInId(account), await emailCode(secret, id));
  const db = accountDatabase(c.env, account);
  if (kind === 'confirm_email')
    await storeMailboxCode(db, recipient, await emailDigits(secret, id), secret, now);
  await storeCode(
    db,
    code,
    // The console, which has no visitors, sends links too.
    { account, epoch, purpose, lifetimeMs, requester: c.var.visitor && provenId(c.var.visitor) },
    now,
  );
  const site = siteOrigin(c.env, c.req.url);
  const message = { id, template, account, site, until: now + lifetimeMs, data: null };
  if (!(await enqueueEmail(c.env, message, c.var.log))) {
    throw new Refusal('email_failed');
  }
}

/** Queues the e-mail after the response, so that neither it nor its time reveals an account. */
async function emailInBackground(
  c: Context<App>,
  kind: EmailKind,
  find: () => Promise<KnownAccount | null>,
  page?: EmailPage,
): Promise<Response> {
  const isWithinIp = await mayRequestEmail(c, page);
  // Others on this network cannot lock out the account's own browser, or whoever cancels.
  if (!isWithinIp && page !== 'cancel') {
    const account = await find();
    if (!account || !isOwnAccount(c, account)) throw new Refusal('too_many_emails');
  }
  const work = async () => {
    const account = await find();
    if (account) await emailCodeTo(c, account, kind, { page, isWithinIp });
  };
  c.executionCtx.waitUntil(work().catch((error) => logNotRequested(c, error)));
  return c.json({ data: {} }, 202);
}

function logNotRequested({ var: { log } }: Context<App>, error: unknown): void {
  const code = error instanceof Refusal ? error.code : undefined;
  const level = code === 'too_many_emails' ? 'info' : 'error';
  log(level, 'email_not_requested', { code, reason: reasonOf(error) });
}

/** Sends the code and the link that prove the caller's mailbox, unless the last code still works. */
export function emailConfirmation(c: Context<App>): void {
  const { account, session } = c.var;
  const work = async () => {
    if (await hasLiveMailboxCode(accountDatabase(c.env, account), account, Date.now())) return;
    await emailCodeTo(c, session, 'confirm_email');
  };
  c.executionCtx.waitUntil(work().catch((error) => logNotRequested(c, error)));
}

async function accountOfCode(c: Context<App>, code: string, purposes: readonly Purpose[]) {
  const { account } = await findCode(codeDatabase(c.env, code), code, purposes, Date.now());
  return account === undefined ? null : accountById(accountDatabase(c.env, account), account);
}

/** Checks whether the plan is paid before it consumes the code, so that a failure does not cost the code. */
async function signIn(c: Context<App>, code: string) {
  const { uuid, isNew } = c.var.visitor;
  const own = ownVisitorId(c);
  const db = codeDatabase(c.env, code);
  const { account: id } = await findCode(db, code, signInPurposes, Date.now());
  const purchases = id && c.env.PURCHASES.getByName(id);
  const before = id ? await accountById(db, id) : null;
  const paid = purchases ? await purchases.hasActiveMainPlan() : false;
  const currency = purchases ? await purchases.runningCurrency() : null;
  const other = isNew ? own : unknownId();
  const result = await signInByCode(db, code, { own, other }, Date.now());
  if (result.kind !== 'signed_in') throw new Refusal(`sign_in_link_${result.kind}`);
  const { id: account, email, epoch, verifiedAt } = result.account;
  if (before && verifiedAt !== null) await proveMailbox(c, before);
  c.set('account', account);
  keepCurrency(c, currency);
  keepArms(c, result.account.arms);
  const access_token = await accessToken(c.env, { account, epoch });
  const signedUp: SignedUp = {
    access_token,
    ...(c.env.PRODUCT_API_URL && { own_access_token: access_token }),
    deeplink_token: result.deeplink,
    entity: { external_user_id: account, uuid },
  };
  return { ...signedUp, email, paid };
}

export const requestSignInLink = createHandlers(
  jsonBody(linkRequest, { email: 'email_invalid' }),
  (c) => {
    const body = c.req.valid('json');
    const find = () =>
      'code' in body
        ? accountOfCode(c, body.code, signInPurposes)
        : findAccountByEmail(c.env, body.email);
    return emailInBackground(c, 'sign_in', find, body.for);
  },
);

export const checkSignInLink = createHandlers(jsonBody(withTypedEmail), async (c) => {
  const { code, email } = c.req.valid('json');
  const data = await checkCode(c, code, signInPurposes, email);
  return c.json({ data });
});

export const openSignInLink = createHandlers(jsonBody(withCode), async (c) => {
  const data = await signIn(c, c.req.valid('json').code);
  return c.json({ data });
});

export const resendAppLink = createHandlers(jsonBody(withCode), (c) => {
  const { code } = c.req.valid('json');
  return emailInBackground(c, 'app', () => accountOfCode(c, code, ['app']));
});

export const emailAppLink = createHandlers(bearer, async (c) => {
  const isWithinIp = await mayRequestEmail(c);
  await emailCodeTo(c, c.var.session, 'app', { isWithinIp });
  return c.json({ data: {} }, 202);
});

export const signOut = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const db = accountDatabase(c.env, account);
  const ended = await signOutEverywhere(db, { account, epoch: session.epoch });
  if (!ended) throw new Refusal('unauthorized');
  keepCurrency(c, null);
  return c.json({ data: {} });
});

const lifetimeMs = 15 * minuteMs;

export const createOtherBrowserLink = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const terms = { account, epoch: session.epoch, purpose: 'hand_over', lifetimeMs } as const;
  const code = await createCode(accountDatabase(c.env, account), terms, Date.now());
  const link = `${siteOrigin(c.env, c.req.url)}/m#${code}`;
  return c.json({ data: { link } });
});
