import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';
import type { KnownAccount } from '../accounts/account-table.ts';
import { languageFor, translationsFor } from '../content/translations.ts';
import { loadTranslations } from '../content/translations-middleware.ts';
import type { Env } from '../env.ts';
import { verificationSecrets } from '../http/signing-secret.ts';
import type { Log } from '../log.ts';
import { emailCode } from './email-code.ts';
import { isSent, markSent } from './email-table.ts';
import { type RenderedEmail, renderEmail } from './layout.ts';
import { EmailAmbiguousError, resend } from './resend.ts';
import type { Template } from './template.ts';
import { hasCode, templates } from './templates/index.ts';

const schema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  letter: v.picklist(Object.keys(templates) as (keyof typeof templates)[]),
  account: v.string(),
  site: v.pipe(v.string(), v.url()),
  until: v.nullable(v.number()),
  data: v.unknown(),
});

type Message = v.InferOutput<typeof schema>;

/** What became of a message; every one of these is the end of it. */
type End = 'sent' | 'refused' | 'repeated' | 'late' | 'no_account' | 'malformed';

/** What an email needs of the rooms above; `queues.ts` passes it in. */
interface Dependencies {
  accountById(db: D1Database, id: string): Promise<KnownAccount | null>;
  isStored(db: D1Database, code: string): Promise<boolean>;
  /** The page on which a buyer pays an invoice; null when nothing is left to pay. */
  invoicePage(env: Env, invoice: string): Promise<string | null>;
}

/** The code that a mail carries; made by the previous secret where that was the one that kept it. */
async function codeOf(id: string, env: Env, { isStored }: Dependencies): Promise<string> {
  const codes = await Promise.all(verificationSecrets(env).map((secret) => emailCode(secret, id)));
  for (const code of codes) if (await isStored(env.DB, code)) return code;
  return codes[0] ?? '';
}

const withInvoice = v.looseObject({ invoice: v.string() });

/** What a letter is told: its message, and what may not lie in a queue. Null when it is over. */
async function told(
  { id, letter, data }: Message,
  env: Env,
  use: Dependencies,
): Promise<{ data: unknown } | null> {
  if (hasCode(letter)) return { data: { code: await codeOf(id, env, use) } };
  if (letter !== 'confirm_payment' || !v.is(withInvoice, data)) return { data };
  const page = await use.invoicePage(env, data.invoice);
  return page === null ? null : { data: { ...data, page } };
}

async function write(
  { letter, site }: Message,
  data: unknown,
  language: string,
  env: Env,
  log: Log,
): Promise<RenderedEmail | null> {
  const { data: shape, write } = templates[letter] as Template<unknown>;
  const read = v.safeParse(shape, data);
  if (!read.success) return null;
  const spoken = languageFor([language]);
  await loadTranslations(spoken, env, log);
  const support = env.SUPPORT_EMAIL ?? '';
  const desk = { t: translationsFor(spoken).mails, language: spoken, site, support };
  return renderEmail(write(desk, read.output), desk);
}

async function deliverOne(
  message: Message,
  env: Env,
  log: Log,
  use: Dependencies,
  now: number,
): Promise<End> {
  if (message.until !== null && now > message.until) return 'late';
  if (await isSent(env.DB, message.id)) return 'repeated';
  const account = await use.accountById(env.DB, message.account);
  if (!account) return 'no_account';
  const known = await told(message, env, use);
  if (!known) return 'late';
  const written = await write(message, known.data, account.language, env, log);
  if (!written) return 'malformed';
  const end = await resend(env).send({ id: message.id, to: account.email, ...written });
  await markSent(env.DB, message.id, now);
  return end;
}

const reasonOf = (error: unknown) =>
  error instanceof EmailAmbiguousError
    ? error.message
    : error instanceof Error
      ? error.name
      : 'thrown';

/**
 * Sends the mails of a batch. A repeated message is the same mail: our table knows its id, and the
 * vendor knows it where we died between sending and noting.
 *
 * @returns the bodies that must come again
 */
export const emailConsumer =
  (use: Dependencies) =>
  async (bodies: readonly unknown[], env: Env, log: Log): Promise<unknown[]> => {
    const again: unknown[] = [];
    for (const body of bodies) {
      const read = v.safeParse(schema, body);
      const key = read.success ? read.output.letter : undefined;
      try {
        const state = read.success
          ? await deliverOne(read.output, env, log, use, Date.now())
          : 'malformed';
        const well = state === 'sent' || state === 'repeated';
        log(well ? 'info' : 'error', 'mail', { key, state });
      } catch (error) {
        log('warn', 'email_failed', { key, vendor: 'resend', reason: reasonOf(error) });
        again.push(body);
      }
    }
    return again;
  };
