import type { Context } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { attributionSchema, withoutForeignAppDomain } from '../visitor/attribution.ts';
import { configuredNetworks } from './ad-networks/index.ts';
import type { AdClickData } from './rules/conversion.ts';

/** A browser's name may be long; what is longer names none. */
const longest = 512;

/**
 * What ad networks may learn of who buys now. The browser's name and address are in it only when a
 * configured network can not do without.
 *
 * @param told what the browser says of the ads that led here
 * @returns null where the buyer does not allow it, or no network is configured
 */
export function adClickDataOf(c: Context<App>, told: unknown): AdClickData | null {
  const { preview, visitor } = c.var;
  const networks = configuredNetworks(c.env);
  const may = visitor.permissions.ads && !preview;
  if (!may || networks.length === 0) return null;
  const read = v.safeParse(attributionSchema, told);
  const user = read.success ? withoutForeignAppDomain(read.output, c.env) : {};
  const needs = networks.map((network) => network.requiredData(user));
  const agent = c.req.header('user-agent')?.slice(0, longest);
  const address = c.req.header('cf-connecting-ip');
  return {
    user,
    visitor: visitor.uuid,
    ...(agent && needs.some((need) => need.agent) ? { agent } : {}),
    ...(address && needs.some((need) => need.address) ? { address } : {}),
  };
}
