import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { CommandError, npmCommand, runCommand, subcommand } from './command.ts';
import { contextOf } from './operations/admin-client.ts';
import { check } from './operations/check.ts';
import { deadLetters, replay } from './operations/dead-letters.ts';
import { minorOf, refund } from './operations/refund.ts';

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

if (import.meta.main) await runCommand(program);
