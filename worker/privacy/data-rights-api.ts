import type { Context } from 'hono';
import { bearer, requireOwner } from '../accounts/access-token.ts';
import { isCurrent } from '../accounts/account-table.ts';
import type { App } from '../env.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { askedBy } from '../invitations/invitation-index.ts';
import { subscriptionView } from '../payments/rules/purchase-view.ts';
import { setVisitorCookie } from '../visitor/visitor.ts';
import { erase, personalData } from './personal-data.ts';

/** Why the session that asks must not delete the account; null while it may. */
async function refusalFor({ env, var: { account, session } }: Context<App>) {
  const current = await isCurrent(env.DB, { account, epoch: session.epoch }).catch(() => undefined);
  if (current === undefined) return 'unavailable' satisfies ErrorCode;
  return current ? null : ('unauthorized' satisfies ErrorCode);
}

/** Ends what renews, then erases. May be repeated, should one of the two have failed. */
async function leave(c: Context<App>) {
  // The object may be slow to get to it; it asks again when it does.
  const left = await c.env.PURCHASES.getByName(c.var.account).leave(() => refusalFor(c));
  if (left.refusal) throw new Refusal(left.refusal);
  for (const person of await askedBy(c.env.DB, c.var.account)) {
    await c.env.INVITATIONS.getByName(person).forget(c.var.account);
  }
  await erase(c.env.DB, c.var.account);
  // What is done from now on is another visitor's.
  setVisitorCookie(c, crypto.randomUUID(), c.var.visitor.permissions);
  const held = left.held.map((one) => subscriptionView(one, Date.now()));
  return c.json({ data: { held } });
}

/** What an account's owner may ask for by law: a copy of their data, and to be forgotten. */
export const exportData = createHandlers(bearer, async (c) => {
  requireOwner(c);
  const data = await personalData(c.env.DB, c.var.account);
  c.header('Content-Disposition', 'attachment; filename="my-data.json"');
  return c.json({ data });
});

export const deleteAccount = createHandlers(bearer, leave);
