import type { Context } from 'hono';
import { bearer, requireMailbox } from '../accounts/access-token.ts';
import { isCurrent } from '../accounts/account-table.ts';
import { createHandlers } from '../http/handlers.ts';
import { subscriptionView } from '../payments/subscriptions/rules/purchase-view.ts';
import { accountDatabase, shortTermDatabase } from '../platform/account-databases.ts';
import { hourMs } from '../platform/durations.ts';
import type { App } from '../platform/env.ts';
import { Refusal, refused } from '../platform/errors.ts';
import { countUse } from '../platform/rate-count-table.ts';
import { unanswered } from '../platform/unanswered.ts';
import { newIdentity, setVisitorCookies } from '../visitor/visitor.ts';

async function refusalToDelete({ env, var: { account, session, log } }: Context<App>) {
  const current = await isCurrent(accountDatabase(env, account), {
    account,
    epoch: session.epoch,
  }).catch(unanswered(log, 'DB', undefined));
  if (current === undefined) return refused('unavailable');
  return current ? null : refused('unauthorized');
}

async function deleteOwn(c: Context<App>) {
  requireMailbox(c);
  const { cancelAndErase } = await import('./personal-data.ts');
  // The object may process the call late, so it checks the session again.
  const cancelled = await cancelAndErase(c.env, c.var.account, () => refusalToDelete(c));
  // From now on this browser is a new visitor.
  setVisitorCookies(c, newIdentity(), c.var.visitor.permissions);
  const subscriptions = cancelled.map((one) => subscriptionView(one, Date.now()));
  return c.json({ data: { subscriptions } });
}

const exportsAnHour = 5;

/** An export reads every store. @throws Refusal `rate_limited` */
async function limitExports({ env, var: { account } }: Context<App>): Promise<void> {
  const name = `export ${account}`;
  const limits = [{ name, max: exportsAnHour, windowMs: hourMs }];
  if (!(await countUse(await shortTermDatabase(env, name), limits, Date.now())))
    throw new Refusal('rate_limited');
}

export const exportData = createHandlers(bearer, async (c) => {
  requireMailbox(c);
  await limitExports(c);
  const { everythingOf } = await import('./personal-data.ts');
  const { account } = c.var;
  const data = await everythingOf(c.env, account);
  c.header('Content-Disposition', 'attachment; filename="my-data.json"');
  return c.json({ data });
});

export const deleteAccount = createHandlers(bearer, deleteOwn);
