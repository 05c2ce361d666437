import { Hono } from 'hono';
import type { App } from '../env.ts';
import { bearer } from './access-token.ts';
import { signOutEverywhere } from './account-table.ts';

/** Signs an account out everywhere: in every browser, in the app, and of every unused link. */
export const signOutApi = new Hono<App>().post('/users/me/sign-out', bearer, async (c) => {
  await signOutEverywhere(c.env.DB, c.var.account);
  return c.json({ data: {} });
});
