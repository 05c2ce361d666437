import type { Context } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { attributionSchema, withoutForeignAppDomain } from '../visitor/attribution.ts';
import { configuredNetworks } from './ad-networks/index.ts';
import type { AdClickData } from './rules/conversion.ts';

const maxUserAgentLength = 512;

/** User agent and IP only where a network needs them; null without consent. @param attribution unvalidated */
export function adClickDataOf(c: Context<App>, attribution: unknown): AdClickData | null {
  const { preview, visitor } = c.var;
  const networks = configuredNetworks(c.env);
  const allowed = visitor.permissions.ads && !preview;
  if (!allowed || networks.length === 0) return null;
  const read = v.safeParse(attributionSchema, attribution);
  const user = read.success ? withoutForeignAppDomain(read.output, c.env) : {};
  const needs = networks.map((network) => network.requiredData(user));
  const agent = c.req.header('user-agent')?.slice(0, maxUserAgentLength);
  const address = c.req.header('cf-connecting-ip');
  return {
    user,
    visitor: visitor.uuid,
    ...(agent && needs.some((need) => need.agent) ? { agent } : {}),
    ...(address && needs.some((need) => need.address) ? { address } : {}),
  };
}
