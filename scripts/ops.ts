import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { DeadLetter } from '../worker/operators/dead-letter-table.ts';
import { CommandError, npmCommand, runCommand, subcommand, wholeNumber } from './command.ts';
import { type Context, contextOf, Unconfirmed, withRetries } from './ops/admin-client.ts';
import { listAlarms, listDifferences, snooze } from './ops/alarms.ts';
import { check } from './ops/check.ts';
import { aligned, decimal } from './text-table.ts';

interface RefundRequest {
  /** Minor units; null refunds everything that is left of the payment. */
  amount: number | null;
  reason: string;
  /** Idempotency key: repeating the command refunds nothing more. */
  key: string;
}

/** An amount such as `12.50` in minor units. */
export function minorOf(text: string): number {
  const [, whole, cents] = /^(\d{1,7})\.(\d{2})$/.exec(text) ?? [];
  const minor = Number(whole) * 100 + Number(cents);
  if (minor > 0) return minor;
  throw new InvalidArgumentError('Expected an amount with two decimals, such as 12.50.');
}

export async function refund(
  payment: string,
  { amount, reason, key }: RefundRequest,
  context: Context,
): Promise<void> {
  const body = { payment_id: payment, amount, reason, key };
  try {
    const { refunded } = await withRetries(context, () =>
      context.site.post<{ refunded: number }>('/refunds', body),
    );
    context.say(`Refunded ${decimal(refunded)} of ${payment}.`);
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    throw new Unconfirmed(
      `${error.message}\nThe refund may have been made. To find out, repeat the command with --key ${key}`,
    );
  }
}

type Listed = Omit<DeadLetter, 'body'> & { body: unknown };

const date = (at: number | null) => (at === null ? 'no' : new Date(at).toISOString());

/** Lists the messages that a queue gave up, newest first. @param all also replayed ones */
export async function deadLetters(all: boolean, { site, say }: Context): Promise<void> {
  const letters = await site.get<Listed[]>(`/dead-letters${all ? '?all=true' : ''}`);
  if (letters.length === 0) return say('No dead letters.');
  const rows = letters.map(({ id, stored_at, replayed_at, body }) => [
    id,
    date(stored_at),
    date(replayed_at),
    JSON.stringify(body),
  ]);
  for (const line of aligned([['id', 'since', 'replayed', 'message'], ...rows])) say(line);
}

export async function replay(id: string, key: string, context: Context): Promise<void> {
  await withRetries(context, () => context.site.post('/dead-letters', { id, key }));
  context.say(`Requeued ${id}.`);
}

export const program: Command = npmCommand(
  'npm run ops --',
  'Payments: compare the ledger with the providers, refund, requeue dead letters.',
  'check --site https://funnel.example',
).option('--site <url>', 'the site; needs ADMIN_TOKEN', 'http://localhost:8787');

const context = () => contextOf(program.opts<{ site: string }>().site);

subcommand(
  program,
  'check',
  'compares the ledger with the payment providers, to the cent; exit code 1 when they differ',
  '--site https://funnel.example',
).action(async () => {
  if (!(await check(context()))) process.exitCode = 1;
});

subcommand(
  program,
  'refund <payment>',
  'refunds a payment, at most what is left of it',
  'pi_3Qx --amount 12.50 --reason "asked by e-mail"',
)
  .option('--reason <text>', 'for the audit; required')
  .option('--amount <sum>', 'such as 12.50; everything that is left by default', minorOf)
  .option('--key <key>', 'key of an earlier try, to repeat it')
  .action((payment, { reason, amount = null, key = randomUUID() }) => {
    if (!reason) throw new CommandError('Give the reason of the refund with --reason.');
    return refund(payment, { reason, amount, key }, context());
  });

subcommand(
  program,
  'dead-letters',
  'lists the messages that a queue gave up',
  '--replay funnel-emails:42',
)
  .option('--all', 'also list replayed ones', false)
  .option('--replay <id>', 'send this message to its queue again')
  .action(({ all, replay: id }) =>
    id === undefined ? deadLetters(all, context()) : replay(id, randomUUID(), context()),
  );

subcommand(
  program,
  'alarms',
  'lists what is wrong now and what to check first',
  '--snooze payment:stripe --hours 4 --reason "Stripe knows"',
)
  .option('--snooze <area>', 'silences an area')
  .option('--hours <number>', 'how long; 0 ends a snooze', wholeNumber(14 * 24), 4)
  .option('--reason <text>', 'for the audit; required with --snooze')
  .action(({ snooze: area, hours, reason }) => {
    if (area === undefined) return listAlarms(context());
    if (!reason) throw new CommandError('Give the reason of the snooze with --reason.');
    return snooze(area, hours, reason, context());
  });

subcommand(
  program,
  'differences',
  'lists what last night’s reconciliation found; exit code 1 when there is a difference',
  '--site https://funnel.example',
).action(async () => {
  if (!(await listDifferences(context()))) process.exitCode = 1;
});

if (import.meta.main) await runCommand(program);
