import { countLine } from './log-counts.ts';
import type { Level, LogFields } from './log-fields.ts';

export type Log = (level: Level, event: string, fields?: LogFields) => void;

/** The error's name, which never holds data of a visitor. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.name : 'thrown';

/** Only for errors whose messages hold no data of a visitor. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'thrown';

export function logger(context: LogFields = {}): Log {
  return (level, event, fields) => {
    const line = { ts: new Date().toISOString(), level, event, ...context, ...fields };
    console[level](JSON.stringify(line));
    countLine(level, event, line);
  };
}
