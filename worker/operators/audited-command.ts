import type { Context } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import { insertCommand, type OperatorCommand, recordCommandResult } from './audit-table.ts';

/** Text that an operator types. */
export const typed = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500));

/** What names a command, so that repeating it does nothing more. */
export const commandKey = v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/));

/** Who asks: the header `X-Operator`, per cent encoded, else the body's `who`. */
function whoAsks(c: Context<App>, who: string | undefined): string {
  const named = c.req.header('x-operator') || who || 'unnamed';
  try {
    return decodeURIComponent(named).slice(0, 100);
  } catch {
    return named.slice(0, 100);
  }
}

/**
 * Does something with a row in the audit. Without that row nothing is done.
 *
 * @param done what the row says of a result
 * @throws Refusal of `act` itself; `gateway_ambiguous` for anything else that it throws
 */
export async function audited<T>(
  c: Context<App>,
  { who, ...deed }: Omit<OperatorCommand, 'who'> & { who: string | undefined },
  act: () => Promise<T>,
  done: (result: T) => string,
): Promise<T> {
  const { DB } = c.env;
  const id = await insertCommand(DB, { ...deed, who: whoAsks(c, who) }, Date.now());
  // Done is done, whether or not the row can be finished.
  const note = (result: string) => recordCommandResult(DB, id, result).catch(() => {});
  try {
    const result = await act();
    await note(done(result));
    return result;
  } catch (error) {
    const code: ErrorCode = error instanceof Refusal ? error.code : 'gateway_ambiguous';
    await note(code);
    if (code === 'gateway_ambiguous')
      c.var.log('warn', 'operator_command_ambiguous', { reason: deed.what });
    throw new Refusal(code);
  }
}
