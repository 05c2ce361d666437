import { paymentProblems } from '../worker/payments/gateways/settings.ts';
import type { Env } from '../worker/platform/env.ts';
import { CommandError } from './command.ts';

/** Throws if the variables of `wrangler.toml` cannot take payments. @param not such as `deployed` */
export function refuseBrokenPayments(vars: Partial<Env>, not: string): void {
  const problems = paymentProblems(vars, 'variables');
  if (problems.length === 0) return;
  throw new CommandError(problems.map((problem) => `not ${not}: ${problem}`).join('\n'));
}
