import { type Log, reasonOf } from './log.ts';

/** For `.catch`, where an answer without one part is better than none: logs the binding, and goes on with `value`. */
export const unanswered =
  <Value>(log: Log, binding: string, value: Value) =>
  (error: unknown): Value => {
    log('warn', 'binding_unavailable', { binding, reason: reasonOf(error) });
    return value;
  };
