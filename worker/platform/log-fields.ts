import type { AccountId, AttemptId, InvitationId } from './types.ts';

/** The list is closed, so no phone number, e-mail, token, card or free text of a visitor can be logged. */
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
  queue?: string;
  binding?: string;
  document?: string;
  variable?: string;
  /** Key of a text, such as `screens.landing.one_pager.title`. */
  text?: string;
  dataset?: string;
  account?: AccountId;
  /** A choice about cookies and the version of its text. */
  choice?: string;
  name?: string;
  chunk?: string;
  directive?: string;
  /** Name of a deprecated browser feature. */
  feature?: string;
  reason?: string;
  vendor?: string;
  /** Gateway that takes over an attempt from `vendor`. */
  next?: string;
  attempt?: AttemptId;
  payment?: string;
  amount?: number;
  currency?: string;
  state?: string;
  type?: string;
  template?: string;
  invitation?: InvitationId;
  /** The subject of an alarm, such as `payment:stripe`. */
  area?: string;
  market?: string;
  version?: string;
  /** Whether the failed action is not retried. */
  final?: boolean;
  stack?: string;
}

export type Level = 'debug' | 'info' | 'warn' | 'error';
