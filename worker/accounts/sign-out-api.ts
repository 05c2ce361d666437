import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { bearer } from './access-token.ts';
import { signOutEverywhere } from './account-table.ts';

export const signOut = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const ended = await signOutEverywhere(c.env.DB, { account, epoch: session.epoch });
  if (!ended) throw new Refusal('unauthorized');
  return c.json({ data: {} });
});
