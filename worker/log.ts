/**
 * The fields of a log line. The list is closed, so no phone number, e-mail, token, card or free text of
 * a visitor can be logged.
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
  /** Name of a queue. */
  queue?: string;
  /** Name of a binding, such as `DB`. */
  binding?: string;
  /** Which document of KV or of the content service. */
  document?: string;
  /** Name of a variable of `wrangler.toml`. */
  variable?: string;
  /** Key of a text, such as `screens.landing.one_pager.title`. */
  text?: string;
  /** Which files of phone numbers or cities. */
  dataset?: string;
  experiment?: string;
  /** Id of an account. */
  account?: string;
  /** A choice about cookies and the version of its text. */
  choice?: string;
  /** Name of an analytics event. */
  name?: string;
  /** Id of a script that did not load. */
  chunk?: string;
  /** Directive of a content security policy. */
  directive?: string;
  /** Name of a deprecated browser feature. */
  feature?: string;
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

/** Writes one JSON object per line, with the fields of `context`. */
export function logger(context: LogFields = {}): Log {
  return (level, event, fields) => {
    const line = { ts: new Date().toISOString(), level, event, ...context, ...fields };
    console[level](JSON.stringify(line));
  };
}
