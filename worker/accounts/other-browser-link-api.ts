import { siteOrigin } from '../email/enqueue-email.ts';
import { createHandlers } from '../http/handlers.ts';
import { bearer } from './access-token.ts';
import { createCode } from './one-time-codes.ts';

const lifetimeMs = 15 * 60 * 1000;

export const createOtherBrowserLink = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const terms = { account, epoch: session.epoch, purpose: 'hand_over', lifetimeMs } as const;
  const code = await createCode(c.env.DB, terms, Date.now());
  const link = `${siteOrigin(c.env, c.req.url)}/m#${code}`;
  return c.json({ data: { link } }, 200, { 'cache-control': 'no-store' });
});
