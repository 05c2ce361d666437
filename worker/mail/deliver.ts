import * as v from 'valibot';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { mailCodeOf } from '../mail-code.ts';
import { speak } from '../spoken.ts';
import { accountById } from '../storage/accounts.ts';
import { isKept } from '../storage/codes.ts';
import { isMailed, noteMailed } from '../storage/mails.ts';
import { languageFor, wordsOf } from '../text.ts';
import { secretsOf } from '../token.ts';
import { MailUnclear, resend } from '../vendors/mail.ts';
import { invoicePage } from '../vendors/stripe-invoice.ts';
import { layOut, type Written } from './layout.ts';
import type { Template } from './letter.ts';
import { hasCode, letters } from './letters.ts';

const schema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  letter: v.picklist(Object.keys(letters) as (keyof typeof letters)[]),
  account: v.string(),
  site: v.pipe(v.string(), v.url()),
  until: v.nullable(v.number()),
  data: v.unknown(),
});

type Message = v.InferOutput<typeof schema>;

/** What became of a message; every one of these is the end of it. */
type End = 'sent' | 'refused' | 'repeated' | 'late' | 'no_account' | 'malformed';

/** The code that a mail carries; made by the previous secret where that was the one that kept it. */
async function codeOf(id: string, env: Env): Promise<string> {
  const codes = await Promise.all(secretsOf(env).map((secret) => mailCodeOf(secret, id)));
  for (const code of codes) if (await isKept(env.DB, code)) return code;
  return codes[0] ?? '';
}

const withInvoice = v.looseObject({ invoice: v.string() });

/** What a letter is told: its message, and what may not lie in a queue. Null when it is over. */
async function told({ id, letter, data }: Message, env: Env): Promise<{ data: unknown } | null> {
  if (hasCode(letter)) return { data: { code: await codeOf(id, env) } };
  if (letter !== 'confirm_payment' || !v.is(withInvoice, data)) return { data };
  const page = await invoicePage(env, data.invoice);
  return page === null ? null : { data: { ...data, page } };
}

async function write(
  { letter, site }: Message,
  data: unknown,
  language: string,
  env: Env,
  log: Log,
): Promise<Written | null> {
  const { data: shape, write } = letters[letter] as Template<unknown>;
  const read = v.safeParse(shape, data);
  if (!read.success) return null;
  const spoken = languageFor([language]);
  await speak(spoken, env, log);
  const support = env.SUPPORT_EMAIL ?? '';
  const desk = { t: wordsOf(spoken).mails, language: spoken, site, support };
  return layOut(write(desk, read.output), desk);
}

async function deliverOne(message: Message, env: Env, log: Log, now: number): Promise<End> {
  if (message.until !== null && now > message.until) return 'late';
  if (await isMailed(env.DB, message.id)) return 'repeated';
  const account = await accountById(env.DB, message.account);
  if (!account) return 'no_account';
  const known = await told(message, env);
  if (!known) return 'late';
  const written = await write(message, known.data, account.language, env, log);
  if (!written) return 'malformed';
  const end = await resend(env).send({ id: message.id, to: account.email, ...written });
  await noteMailed(env.DB, message.id, now);
  return end;
}

const reasonOf = (error: unknown) =>
  error instanceof MailUnclear ? error.message : error instanceof Error ? error.name : 'thrown';

/**
 * Sends the mails of a batch. A repeated message is the same mail: our table knows its id, and the
 * vendor knows it where we died between sending and noting.
 *
 * @returns the bodies that must come again
 */
export async function deliver(bodies: readonly unknown[], env: Env, log: Log): Promise<unknown[]> {
  const again: unknown[] = [];
  for (const body of bodies) {
    const read = v.safeParse(schema, body);
    const key = read.success ? read.output.letter : undefined;
    try {
      const state = read.success
        ? await deliverOne(read.output, env, log, Date.now())
        : 'malformed';
      const well = state === 'sent' || state === 'repeated';
      log(well ? 'info' : 'error', 'mail', { key, state });
    } catch (error) {
      log('warn', 'mail_failed', { key, vendor: 'resend', reason: reasonOf(error) });
      again.push(body);
    }
  }
  return again;
}
