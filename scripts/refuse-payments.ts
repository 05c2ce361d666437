import type { Env } from '../worker/env.ts';
import { paymentProblems } from '../worker/payments/gateways/settings.ts';

/**
 * Ends the command when the variables of `wrangler.toml` cannot take payments, and says why.
 *
 * @param not what does not happen, such as `deployed`
 */
export function refuseBrokenPayments(vars: Partial<Env>, not: string): void {
  const problems = paymentProblems(vars, 'variables');
  for (const problem of problems) process.stderr.write(`not ${not}: ${problem}\n`);
  if (problems.length > 0) process.exit(1);
}
