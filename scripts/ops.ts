import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { minorDigits } from '../locales/format/currency.ts';
import { amountText } from '../worker/console/parts/figure-text.ts';
import type { DeadLetter } from '../worker/operators/dead-letter-table.ts';
import { CommandError, npmCommand, print, runCommand, subcommand, wholeNumber } from './command.ts';
import { adminSiteOf, type SiteOptions, withSite } from './local-server.ts';
import { type AdminContext, adminContextOf, Unconfirmed, withRetries } from './ops/admin-client.ts';
import { listAlarms, listDifferences, snooze } from './ops/alarms.ts';
import { check, rebuildAll } from './ops/check.ts';
import { eraseEvents } from './ops/erase-events.ts';
import { evidence } from './ops/evidence.ts';
import { printPeople } from './ops/find.ts';
import { startRaise } from './ops/raise.ts';
import { listRenewals } from './ops/renewals.ts';
import {
  makeServerKey,
  makeSigningKey,
  parseTime,
  resendChanges,
  showWebhook,
} from './ops/webhook.ts';
import { aligned } from './text-table.ts';

interface RefundRequest {
  /** Minor units; null refunds the remainder of the payment. */
  amount: number | null;
  reason: string;
  /** Idempotency key: repeating the command refunds nothing more. */
  key: string;
}

/** In minor units. */
interface Refunded {
  refunded: number;
  remaining: number;
  currency: string;
}

/** An amount such as `12.50`, or `1250 JPY`, in minor units of its currency. */
export function amountIn(text: string): number {
  const [, whole, cents] = /^(\d{1,7})\.(\d{2})$/.exec(text) ?? [];
  const [, units, currency = ''] = /^(\d{1,7}) ([A-Z]{3})$/.exec(text) ?? [];
  const isWhole = units !== undefined && minorDigits(currency) === 0;
  const minor = isWhole ? Number(units) : Number(whole) * 100 + Number(cents);
  if (minor > 0) return minor;
  throw new InvalidArgumentError(
    'Expected an amount with two decimals, such as 12.50; or "1250 JPY".',
  );
}

export async function sendRefund(
  payment: string,
  { amount, reason, key }: RefundRequest,
  context: AdminContext,
): Promise<void> {
  const body = { payment_id: payment, amount, reason, key };
  try {
    const { refunded, remaining, currency } = await withRetries(context, () =>
      context.site.post<Refunded>('/refunds', body),
    );
    context.print(
      `Refunded ${amountText(refunded, currency)} of ${payment}; ${amountText(remaining, currency)} can still be refunded.`,
    );
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    throw new Unconfirmed(
      `${error.message}\nIt is unknown whether the refund was made. To find out, repeat the command with --key ${key}`,
    );
  }
}

type Listed = Omit<DeadLetter, 'body'> & { body: unknown };

const date = (at: number | null) => (at === null ? 'no' : new Date(at).toISOString());

/** Lists the messages that a queue gave up on, newest first. @param all includes replayed ones */
export async function deadLetters(all: boolean, { site, print }: AdminContext): Promise<void> {
  const letters = await site.get<Listed[]>(`/dead-letters${all ? '?all=true' : ''}`);
  if (letters.length === 0) return print('No dead letters.');
  const rows = letters.map(({ id, stored_at, replayed_at, body }) => [
    id,
    date(stored_at),
    date(replayed_at),
    JSON.stringify(body),
  ]);
  for (const line of aligned([['id', 'since', 'replayed', 'message'], ...rows])) print(line);
}

export async function requeueDeadLetters(
  id: string,
  key: string,
  context: AdminContext,
): Promise<void> {
  await withRetries(context, () => context.site.post('/dead-letters', { id, key }));
  context.print(`Requeued ${id}.`);
}

export const program: Command = withSite(
  npmCommand(
    'npm run ops --',
    'Commands for operators: alarms, reconciliation, refunds, disputes, dead letters, webhooks.',
    'check --site https://funnel.example',
  ),
);

const context = () => adminContextOf(adminSiteOf(program.opts<SiteOptions>()));

subcommand(
  program,
  'check',
  'compares the ledger with the payment providers, to the cent, and D1 with the accounts; exit code 1 if they differ',
  '--site https://funnel.example',
).action(async () => {
  if (!(await check(context()))) process.exitCode = 1;
});

subcommand(
  program,
  'rebuild',
  'writes the copy in D1 again from the accounts’ objects, after a loss; can be repeated and resumed',
  '--reason "D1 was restored"',
)
  .option('--reason <text>', 'for the audit; required')
  .option('--after <cursor>', 'where an interrupted command stopped', '')
  .action(({ after, reason }) => {
    if (!reason) throw new CommandError('Give the reason for the rebuild with --reason.');
    return rebuildAll(after, reason, context());
  });

subcommand(program, 'renewals', 'lists failed renewals and their outcome', '--days 90')
  .option('--days <number>', 'number of past days', wholeNumber(400), 30)
  .action(({ days }) => listRenewals(days, context()));

subcommand(
  program,
  'raise <version>',
  'raises the price of running subscriptions to that of a version: lists them, tells their owners with --start, and reports',
  'monthly@2 --from 2027-03-01 --reason "prices of 2027"',
)
  .option('--from <day>', 'required; no renewal before it costs more', parseTime)
  .option('--start', 'tell the owners; without it nothing changes', false)
  .option('--reason <text>', 'for the audit; required with --start')
  .option('--after <account>', 'where an interrupted command stopped', '')
  .action((version, { from, start, after, reason = start ? '' : 'list' }) => {
    if (from === undefined) throw new CommandError('Give the day with --from.');
    if (!reason) throw new CommandError('Give the reason with --reason.');
    return startRaise({ version, from, reason, start }, after, context());
  });

subcommand(
  program,
  'find <text>',
  'finds an account by e-mail, account, attempt or payment, and prints its purchases and history',
  'ann@example.com',
).action((text) => printPeople(text, context()));

subcommand(
  program,
  'refund <payment>',
  'refunds a payment in full or in part',
  'pi_3Qx --amount 12.50 --reason "asked by e-mail"',
)
  .option('--reason <text>', 'for the audit; required')
  .option('--amount <sum>', 'such as 12.50; by default everything that remains', amountIn)
  .option('--key <key>', 'key of an earlier try, to retry it safely')
  .action((payment, { reason, amount = null, key = randomUUID() }) => {
    if (!reason) throw new CommandError('Give the reason for the refund with --reason.');
    return sendRefund(payment, { reason, amount, key }, context());
  });

subcommand(
  program,
  'dead-letters',
  'lists messages that a queue could not deliver',
  '--replay funnel-emails:42',
)
  .option('--all', 'also list replayed ones', false)
  .option('--replay <id>', 'requeue this message')
  .action(({ all, replay: id }) =>
    id === undefined
      ? deadLetters(all, context())
      : requeueDeadLetters(id, randomUUID(), context()),
  );

subcommand(
  program,
  'alarms',
  'lists open alarms and what to check first',
  '--snooze payment:stripe --hours 4 --reason "Stripe knows"',
)
  .option('--snooze <area>', 'snoozes an area')
  .option('--hours <number>', 'how long; 0 ends a snooze', wholeNumber(14 * 24, 0), 4)
  .option('--reason <text>', 'for the audit; required with --snooze')
  .action(({ snooze: area, hours, reason }) => {
    if (area === undefined) return listAlarms(context());
    if (!reason) throw new CommandError('Give the reason for the snooze with --reason.');
    return snooze(area, hours, reason, context());
  });

subcommand(
  program,
  'differences',
  'lists the differences that last night’s reconciliation found; exit code 1 if there are any',
  '--site https://funnel.example',
).action(async () => {
  if (!(await listDifferences(context()))) process.exitCode = 1;
});

subcommand(
  program,
  'evidence <payment>',
  'writes the evidence of a payment for answering a dispute',
  'pi_3Qx --out pi_3Qx.txt',
)
  .option('--out <file>', 'write it to this file instead of printing it')
  .action((payment, { out = null }) => evidence(payment, out, context()));

subcommand(
  program,
  'webhook',
  'shows whether the app’s server accepts entitlement webhooks',
  '--resend --since 2026-11-20 --reason "receiver repaired"',
)
  .option(
    '--resend',
    'enable the endpoint and resend the current state of every account that changed',
    false,
  )
  .option(
    '--since <time>',
    'resend changes since then; by default since the first failure',
    parseTime,
  )
  .option('--reason <text>', 'for the audit; required with --resend')
  .action(({ resend: again, since, reason }) => {
    if (!again) return showWebhook(context());
    if (!reason) throw new CommandError('Give the reason with --reason.');
    return resendChanges(since, reason, context());
  });

subcommand(
  program,
  'erase-events <visitor>',
  'erases the events of a visitor without an account, by their cookie userUuid',
  '7d0c2b1e-5a44-4c1f-9a53-2f1f6c0e8b11 --reason "asked by mail"',
)
  .option('--reason <text>', 'for the audit; required')
  .action((visitor, { reason }) => {
    if (!reason) throw new CommandError('Give the reason with --reason.');
    return eraseEvents(visitor, reason, context());
  });

subcommand(program, 'server-key', 'generates an API key for the app’s server', '').action(() =>
  makeServerKey(print),
);

subcommand(program, 'signing-key', 'generates a key that signs entitlement webhooks', '').action(
  () => makeSigningKey(print),
);

if (import.meta.main) await runCommand(program);
