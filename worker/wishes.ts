import { balance } from './funnel/balance.ts';
import { askToEnd, type Bought, mayResume, resume, withdraw } from './funnel/bought.ts';
import { mayClaim } from './funnel/guarantee.ts';
import { cancelledNotice, resumedNotice, withdrawnNotice } from './funnel/notice.ts';
import { mayWithdraw } from './funnel/withdrawal.ts';
import type { Ledger } from './ledger.ts';

/** Something held, with all that a wish about it has to know; undefined when it is not held. */
function holding(ledger: Ledger, id: string) {
  const found = ledger.bought().find(({ attempt }) => attempt === id);
  const attempt = ledger.attempt(id);
  const { profile } = ledger;
  if (!found || !attempt || !profile) return undefined;
  const rows = ledger.rows().filter((row) => row.attempt === id);
  return { found, attempt, profile, rows };
}

/**
 * Notes that an attempt's renewals are to end; the job tells the gateway.
 *
 * @param receipt whether its owner is mailed that it ends
 */
export function end(ledger: Ledger, id: string, receipt = true): Bought | undefined {
  const held = holding(ledger, id);
  if (!held) return undefined;
  const { found, attempt, profile } = held;
  const now = Date.now();
  const asked = askToEnd(found, now);
  if (asked === found) return found;
  ledger.hold(asked, [], profile.account, now);
  if (receipt) ledger.post(cancelledNotice(attempt, asked, now), now);
  return asked;
}

/**
 * Notes that an attempt's renewals are to go on after all; the job tells the gateway.
 *
 * @returns undefined when it is not held, or cannot go on
 */
export function goOn(ledger: Ledger, id: string): Bought | undefined {
  const held = holding(ledger, id);
  if (!held || held.profile.left) return undefined;
  const { found, attempt, profile, rows } = held;
  const now = Date.now();
  const ending = found.ends || found.cancelAskedAt !== null || found.withdrawnAt !== null;
  if (found.status === 'active' && !ending) return found;
  if (!mayResume(found, rows, now)) return undefined;
  const resumed = resume(found, now);
  ledger.hold(resumed, [], profile.account, now);
  ledger.post(resumedNotice(attempt, resumed, now), now);
  return resumed;
}

/**
 * Notes that the account takes back what an attempt bought, by law or under the guarantee; the job
 * ends it and pays it back.
 *
 * @param guaranteed whether it is for the guarantee, because nobody agreed, and not by law
 * @returns undefined when it is not held, or its time is over
 */
export function takeBack(ledger: Ledger, id: string, guaranteed = false): Bought | undefined {
  const held = holding(ledger, id);
  if (!held) return undefined;
  const { found, attempt, profile, rows } = held;
  if (found.withdrawnAt) return found;
  const now = Date.now();
  const paidAt = rows.find(({ kind }) => kind === 'capture')?.at ?? null;
  const claimed = guaranteed && mayClaim(paidAt, now);
  if (!claimed && !mayWithdraw(attempt.terms, now)) return undefined;
  const gone = withdraw(found, now);
  ledger.hold(gone, [], profile.account, now);
  ledger.post(withdrawnNotice(attempt, balance(rows), claimed, now), now);
  return gone;
}
