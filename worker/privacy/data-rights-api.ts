import type { Context } from 'hono';
import { bearer, requireOwner } from '../accounts/access-token.ts';
import { isCurrent } from '../accounts/account-table.ts';
import type { App } from '../env.ts';
import { type ErrorCode, unlessRefused } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { inviteesOf } from '../invitations/invitation-index.ts';
import { subscriptionView } from '../payments/rules/purchase-view.ts';
import type { VisitorId } from '../types.ts';
import { setVisitorCookie } from '../visitor/visitor.ts';
import { erase, personalData } from './personal-data.ts';

async function refusalToDelete({ env, var: { account, session } }: Context<App>) {
  const current = await isCurrent(env.DB, { account, epoch: session.epoch }).catch(() => undefined);
  if (current === undefined) return 'unavailable' satisfies ErrorCode;
  return current ? null : ('unauthorized' satisfies ErrorCode);
}

/** Cancels renewals, then erases. Idempotent: a failed call can be repeated. */
async function cancelAndErase(c: Context<App>) {
  // The object may handle this late, so it checks the session again.
  const stub = c.env.PURCHASES.getByName(c.var.account);
  const left = unlessRefused(await stub.deleteAccount(() => refusalToDelete(c)));
  for (const inviteeKey of await inviteesOf(c.env.DB, c.var.account)) {
    await c.env.INVITATIONS.getByName(inviteeKey).forgetRequester(c.var.account);
  }
  await erase(c.env.DB, c.var.account);
  // What this browser does from now on belongs to a new visitor.
  setVisitorCookie(c, crypto.randomUUID() as VisitorId, c.var.visitor.permissions);
  const subscriptions = left.subscriptions.map((one) => subscriptionView(one, Date.now()));
  return c.json({ data: { subscriptions } });
}

export const exportData = createHandlers(bearer, async (c) => {
  requireOwner(c);
  const data = await personalData(c.env.DB, c.var.account);
  c.header('Content-Disposition', 'attachment; filename="my-data.json"');
  return c.json({ data });
});

export const deleteAccount = createHandlers(bearer, cancelAndErase);
