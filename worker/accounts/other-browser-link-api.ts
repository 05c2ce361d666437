import { siteOrigin } from '../email/enqueue-email.ts';
import { createHandlers } from '../http/handlers.ts';
import { bearer } from './access-token.ts';
import { createCode } from './one-time-codes.ts';

/** How long the link lives, in ms; as long as a mailed one. */
const lives = 15 * 60 * 1000;

/** A link with which a signed-in visitor goes on in another browser; good once. */
export const createOtherBrowserLink = createHandlers(bearer, async (c) => {
  const { account, session } = c.var;
  const about = { account, epoch: session.epoch, purpose: 'hand_over', lives } as const;
  const code = await createCode(c.env.DB, about, Date.now());
  const link = `${siteOrigin(c.env, c.req.url)}/m#${code}`;
  return c.json({ data: { link } }, 200, { 'cache-control': 'no-store' });
});
