import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { bearer } from './access-token.ts';
import { signOutEverywhere } from './account-table.ts';

/** Signs an account out everywhere: in every browser, in the app, at Google, and of every unused link. */
export const signOut = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const ended = await signOutEverywhere(c.env.DB, { account, epoch: session.epoch });
  if (!ended) throw new Refusal('unauthorized');
  return c.json({ data: {} });
});
