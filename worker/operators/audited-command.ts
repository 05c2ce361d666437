import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { App } from '../platform/env.ts';
import { type ErrorCode, Refusal } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { unanswered } from '../platform/unanswered.ts';

export const operatorText = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500));

export const commandKey = v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/));

export interface OperatorCommand {
  operator: string;
  action: string;
  target: string;
  details: object;
  reason: string;
}

/** Writes the audit row of a command that is about to run. @returns the row's id */
export async function insertCommand(
  db: D1Database,
  { operator, action, target, details, reason }: OperatorCommand,
  now: number,
): Promise<string> {
  const id = crypto.randomUUID();
  await db
    .prepare(
      `INSERT INTO audit (id, operator, action, target, details, reason, started_at, result)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'begun')`,
    )
    .bind(id, operator, action, target, JSON.stringify(details), reason, now)
    .run();
  return id;
}

export async function recordCommandResult(
  db: D1Database,
  id: string,
  result: string,
): Promise<void> {
  await db.prepare('UPDATE audit SET result = ?2 WHERE id = ?1').bind(id, result).run();
}

/**
 * The operator whom the token names. Whoever holds a shared token can send any name in `X-Operator`
 * (percent-encoded), so the audit marks that name as a claim.
 */
export function operatorOf(c: Context<App>): string {
  const named = c.get('operator');
  if (named) return named;
  let claim = c.req.header('x-operator') ?? '';
  try {
    claim = decodeURIComponent(claim);
  } catch {
    // Not encoded.
  }
  return claim ? `ADMIN_TOKEN (${claim.slice(0, 80)})` : 'ADMIN_TOKEN';
}

/** Without an audit row the command does not run. @throws Refusal of `run`, or `gateway_ambiguous` */
export async function runAudited<T>(
  { DB, log }: { DB: D1Database; log: Log },
  command: OperatorCommand,
  run: () => Promise<T>,
  describe: (result: T) => string,
): Promise<T> {
  const id = await insertCommand(DB, command, Date.now());
  // The command has run, whether or not its row can be completed.
  const record = (result: string) =>
    recordCommandResult(DB, id, result).catch(unanswered(log, 'DB', undefined));
  try {
    const result = await run();
    await record(describe(result));
    return result;
  } catch (error) {
    const code: ErrorCode = error instanceof Refusal ? error.code : 'gateway_ambiguous';
    await record(code);
    if (code === 'gateway_ambiguous') {
      log('warn', 'operator_command_ambiguous', { reason: command.action });
    }
    throw new Refusal(code);
  }
}

/** A command of the operators' API. @throws as `runAudited` */
export function audited<T>(
  c: Context<App>,
  command: Omit<OperatorCommand, 'operator'>,
  run: () => Promise<T>,
  describe: (result: T) => string,
): Promise<T> {
  const named = { ...command, operator: operatorOf(c) };
  return runAudited({ DB: c.env.DB, log: c.var.log }, named, run, describe);
}
