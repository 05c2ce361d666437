import { Hono } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { signOutEverywhere } from '../storage/accounts.ts';
import { bearer } from '../token.ts';

/** Signs an account out everywhere: in every browser, in the app, at Google, and of every unused link. */
export const signOut = new Hono<App>().post('/users/me/sign-out', bearer, async (c) => {
  const { account, session } = c.var;
  const ended = await signOutEverywhere(c.env.DB, { account, epoch: session.epoch });
  if (!ended) throw new Refusal('unauthorized');
  return c.json({ data: {} });
});
