import { Hono } from 'hono';
import type { App } from '../env.ts';
import { reportGateways } from '../payments/gateways/report.ts';

/** `GET /gateways` tells how each payment provider stands, and whether its prices are ours. */
export const gatewaysApi = new Hono<App>().get('/gateways', async (c) =>
  c.json({ data: await reportGateways(c.env) }),
);
