import { Hono } from 'hono';
import type { App } from '../../env.ts';

/** Placeholder until the price check is there. */
export const gateways = new Hono<App>().get('/gateways', (c) => c.json({ data: [] }));
