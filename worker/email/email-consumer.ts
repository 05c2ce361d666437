import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';
import type { KnownAccount } from '../accounts/account-table.ts';
import { brandOf } from '../content/rules/themes.ts';
import { languageFor, translationsFor } from '../content/translations.ts';
import { loadTranslations } from '../content/translations-middleware.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { verificationSecrets } from '../platform/hmac.ts';
import { typedKeys } from '../platform/keys.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import { codeInDatabase, numberInId } from '../platform/rules/database-number.ts';
import { type AccountId, type AttemptId, attemptIdOf } from '../platform/types.ts';
import { isEmailDone, markEmailDone } from './email-table.ts';
import { emailCode, emailDigits } from './enqueue-email.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { EmailAmbiguousError, resend } from './resend.ts';
import type { Template } from './template.ts';
import { hasCode, templates } from './templates/index.ts';

const schema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  template: v.picklist(typedKeys(templates)),
  account: v.pipe(v.string(), v.brand('AccountId')),
  site: v.pipe(v.string(), v.url()),
  until: v.nullable(v.number()),
  data: v.unknown(),
});

type Message = v.InferOutput<typeof schema>;

/** Every state is final. */
type State =
  | 'sent'
  | 'refused'
  | 'repeated'
  | 'late'
  | 'unneeded'
  | 'no_account'
  | 'undeliverable'
  | 'malformed';

/** A reserved domain (RFC 2606), as used by the synthetic visitor; nothing can be delivered there. */
const isReserved = (email: string) => email.endsWith('.invalid');

const finalStates: ReadonlySet<State> = new Set(['sent', 'repeated', 'undeliverable', 'unneeded']);

/** Look-ups in rooms above this one, passed in by `queues.ts`. */
interface Dependencies {
  accountById(db: D1Database, id: AccountId): Promise<KnownAccount | null>;
  isStored(db: D1Database, code: string): Promise<boolean>;
  invoicePage(env: Env, invoice: string): Promise<string | null>;
  needsCard(
    env: Env,
    account: AccountId,
    attempt: AttemptId,
    why: 'renewal_failed' | 'card_expires',
  ): Promise<boolean>;
  /** What became of a notice, without which a charge may not come. */
  noticed(
    env: Env,
    account: AccountId,
    notice: { id: string; isSent: boolean; mailId: string | null },
  ): Promise<void>;
  cardLinkCode(
    db: D1Database,
    account: KnownAccount,
    codes: readonly string[],
    now: number,
  ): Promise<string>;
}

/** The code by the current secret, and by the previous one after a rotation. */
async function codesOf(id: string, account: AccountId, env: Env): Promise<string[]> {
  const codes = await Promise.all(verificationSecrets(env).map((secret) => emailCode(secret, id)));
  return codes.map((code) => codeInDatabase(numberInId(account), code));
}

/** The code, and the digits for typing, by the secret that the stored code was derived with. */
async function codeOf(
  { id, account }: Message,
  env: Env,
  { isStored }: Dependencies,
): Promise<{ code: string; digits: string }> {
  const codes = await codesOf(id, account, env);
  const digits = await Promise.all(
    verificationSecrets(env).map((secret) => emailDigits(secret, id)),
  );
  const db = accountDatabase(env, account);
  const stored = await Promise.all(codes.map((code) => isStored(db, code)));
  const index = Math.max(stored.indexOf(true), 0);
  return { code: codes[index] ?? '', digits: digits[index] ?? '' };
}

const withInvoice = v.looseObject({ invoice: v.string() });

const withCard = v.looseObject({ attempt: v.string() });

/** Adds the data that no queue may store. Null when the e-mail is no longer needed. */
async function completeData(
  message: Message,
  account: KnownAccount,
  env: Env,
  dependencies: Dependencies,
): Promise<{ data: unknown } | null> {
  const { id, template, data } = message;
  if (hasCode(template)) return { data: await codeOf(message, env, dependencies) };
  // Whoever typed the address may not own it.
  if (template === 'invitation_answer') return account.verifiedAt === null ? null : { data };
  const db = accountDatabase(env, account.id);
  if (template === 'renewal_failed' || template === 'card_expires') {
    const { needsCard, cardLinkCode } = dependencies;
    if (!v.is(withCard, data)) return { data };
    if (!(await needsCard(env, account.id, attemptIdOf(data.attempt), template))) return null;
    const code = await cardLinkCode(db, account, await codesOf(id, account.id, env), Date.now());
    return { data: { ...data, code } };
  }
  if (template !== 'payment_confirmation' || !v.is(withInvoice, data)) return { data };
  const page = await dependencies.invoicePage(env, data.invoice);
  return page === null ? null : { data: { ...data, page } };
}

interface Services {
  env: Env;
  log: Log;
  dependencies: Dependencies;
}

async function render(
  { template, site }: Message,
  data: unknown,
  accountLanguage: string,
  { env, log }: Services,
): Promise<RenderedEmail | null> {
  const { data: schema, write }: Template<unknown> = templates[template];
  const read = v.safeParse(schema, data);
  if (!read.success) return null;
  const language = languageFor([accountLanguage]);
  await loadTranslations(language, env, log);
  const support = env.SUPPORT_EMAIL ?? '';
  const facts = [env.COMPANY_NAME, env.COMPANY_ADDRESS, env.COMPANY_REGISTER, env.COMPANY_VAT];
  const seller = facts.filter(Boolean).join('\n');
  const { mails: t, named } = translationsFor(language);
  const context = {
    ...{ t, named },
    language,
    site,
    brand: brandOf(env),
    support,
    seller,
  };
  return renderEmail(write(context, read.output), context);
}

interface Delivery {
  state: State;
  mailId?: string | null;
}

async function send(message: Message, services: Services, now: number): Promise<Delivery> {
  const { env, dependencies } = services;
  if (message.until !== null && now > message.until) return { state: 'late' };
  const db = accountDatabase(env, message.account);
  if (await isEmailDone(db, message.id)) return { state: 'repeated' };
  const account = await dependencies.accountById(db, message.account);
  if (!account) return { state: 'no_account' };
  if (isReserved(account.email)) return { state: 'undeliverable' };
  const completed = await completeData(message, account, env, dependencies);
  if (!completed) return { state: 'unneeded' };
  const email = await render(message, completed.data, account.language, services);
  if (!email) return { state: 'malformed' };
  const sent = await resend(env).send({ id: message.id, to: account.email, ...email });
  return sent.state === 'sent' ? { state: 'sent', mailId: sent.id } : sent;
}

async function deliver(message: Message, services: Services, now: number): Promise<State> {
  const { env, dependencies } = services;
  const { state, mailId = null } = await send(message, services, now);
  const { id, account, template } = message;
  // Before it is marked as done: a crash in between repeats both.
  const isNotice = template === 'price_raise' || template === 'renewal_reminder';
  if (isNotice && state !== 'repeated')
    await dependencies.noticed(env, account, { id, isSent: state === 'sent', mailId });
  if (state === 'sent' || state === 'refused')
    await markEmailDone(accountDatabase(env, account), id, now);
  return state;
}

/** Idempotent: D1 knows the ids that are done, Resend those sent before a crash. @returns what to retry */
export const emailConsumer =
  (dependencies: Dependencies) =>
  async (bodies: readonly unknown[], env: Env, log: Log): Promise<unknown[]> => {
    const retries: unknown[] = [];
    for (const body of bodies) {
      const read = v.safeParse(schema, body);
      const template = read.success ? read.output.template : undefined;
      try {
        const state = read.success
          ? await deliver(read.output, { env, log, dependencies }, Date.now())
          : 'malformed';
        log(finalStates.has(state) ? 'info' : 'error', 'email_processed', { template, state });
      } catch (error) {
        const reason = error instanceof EmailAmbiguousError ? error.message : reasonOf(error);
        log('warn', 'email_failed', { template, vendor: 'resend', reason });
        retries.push(body);
      }
    }
    return retries;
  };
