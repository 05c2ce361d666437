/**
 * Fields that a line of log may hold. A closed list of harmless facts: what is not here (phone,
 * e-mail, token, card, free text of a visitor) cannot be logged.
 */
export interface LogFields {
  request?: string;
  screen?: string;
  flow?: string;
  arm?: string;
  country?: string;
  lng?: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  count?: number;
  cache?: 'hit' | 'miss';
  code?: string;
  key?: string;
  reason?: string;
  vendor?: string;
  attempt?: string;
  payment?: string;
  amount?: number;
  currency?: string;
  state?: string;
  type?: string;
  /** Name of an e-mail's template. */
  template?: string;
  /** Id of an invitation. */
  invitation?: string;
  /** Whether nothing retries what failed. */
  final?: boolean;
  stack?: string;
}

type Level = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: Level, event: string, fields?: LogFields) => void;

/** A logger whose lines all carry `context`; one JSON object a line. */
export function logger(context: LogFields = {}): Log {
  return (level, event, fields) => {
    const line = { ts: new Date().toISOString(), level, event, ...context, ...fields };
    console[level](JSON.stringify(line));
  };
}
