import { Hono } from 'hono';
import QRCode from 'qrcode';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createDeeplink, redeemDeeplink } from '../storage/deeplinks.ts';
import { accessToken, bearer } from '../token.ts';
import { jsonBody } from './body.ts';

const refusals = {
  used: 'deeplink_used',
  expired: 'deeplink_expired',
  unknown: 'deeplink_unknown',
} as const;

const body = v.object({ code: v.pipe(v.string(), v.maxLength(100)) });

/** The way from the funnel into the app: a code of one use, as a link and as a QR code. */
export const deeplink = new Hono<App>()
  .get('/users/me/deeplink-qr-code', bearer, async (c) => {
    const code = await createDeeplink(c.env.DB, c.var.account, Date.now());
    // In the fragment, so that the code reaches no server's log on its way.
    const link = `${new URL(c.req.url).origin}/d#${code}`;
    const svg = await QRCode.toString(link, { type: 'svg', width: 256, margin: 2 });
    return c.json({ data: { short_deeplink: link, qr_code: svg } });
  })
  .post('/deeplink/redeem', jsonBody(body), async (c) => {
    const redeemed = await redeemDeeplink(c.env.DB, c.req.valid('json').code, Date.now());
    if (redeemed.state !== 'redeemed') throw new Refusal(refusals[redeemed.state]);
    const data = { access_token: await accessToken(c.env, redeemed.account) };
    return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
  });
