import { createHandlers } from '../http/handlers.ts';
import { reportGateways } from '../payments/gateways/report.ts';

/** `GET /gateways` tells how each payment provider stands, and whether its prices are ours. */
export const getGateways = createHandlers(async (c) =>
  c.json({ data: await reportGateways(c.env) }),
);
