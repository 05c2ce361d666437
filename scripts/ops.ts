import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import { siteAt } from './operations/admin-client.ts';
import { minorOf } from './operations/amount.ts';
import { check } from './operations/check.ts';
import type { Context } from './operations/context.ts';
import { deadLetters, replay } from './operations/dead-letters.ts';
import { refund } from './operations/refund.ts';
import { runCommand } from './run-command.ts';
import { userName } from './user-name.ts';

const program = new Command('npm run ops --')
  .description('What was paid: compare it, give it back, look after messages that got stuck.')
  .option('--site <address>', 'the site; it needs ADMIN_TOKEN', 'http://localhost:8787')
  .configureHelp({ showGlobalOptions: true });

function context(): Context {
  const { site } = program.opts<{ site: string }>();
  return {
    site: siteAt(site, process.env.ADMIN_TOKEN, userName()),
    say: (line) => process.stdout.write(`${line}\n`),
    wait: (ms) => setTimeout(ms),
  };
}

program
  .command('check')
  .description('the ledger against the payment providers, to the cent; code 1 when they differ')
  .action(async () => {
    if (!(await check(context()))) process.exitCode = 1;
  });

program
  .command('refund <payment>')
  .description('give money back, never more than is left of the payment')
  .requiredOption('--reason <text>', 'for the audit')
  .option('--amount <sum>', 'such as 12.50; all that is left when it is not given', minorOf)
  .option('--key <key>', 'of an earlier try, to repeat it')
  .action((payment, { reason, amount = null, key = randomUUID() }) =>
    refund(payment, { reason, amount, key }, context()),
  );

program
  .command('dead-letters')
  .description('messages that their queues gave up')
  .option('--all', 'also those that were replayed', false)
  .option('--replay <id>', 'send this one to its queue again')
  .action(({ all, replay: id }) =>
    id === undefined ? deadLetters(all, context()) : replay(id, randomUUID(), context()),
  );

await runCommand(program);
