import type { Context } from 'hono';
import type { App } from '../platform/env.ts';
import { hmacOf, signingSecret } from '../platform/hmac.ts';
import type { Limit } from '../platform/rate-count-table.ts';

/** The whole of an IPv4 address; the first 16-bit groups of an IPv6 address, by default its /64. */
export function ipPrefix(ip: string, groupCount = 4): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.toLowerCase().split('::', 2);
  const first = head.split(':').filter(Boolean);
  const last = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, groupCount);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

const hashOf = (c: Context<App>, network: string) =>
  hmacOf(signingSecret(c.env), 'address', network);

/** Keyed hash of the client's IP; null in local development, where Cloudflare sets no header. */
export async function clientIpHash(c: Context<App>, groupCount?: number): Promise<string | null> {
  const ip = c.req.header('cf-connecting-ip');
  return ip ? hashOf(c, ipPrefix(ip, groupCount)) : null;
}

/** A /48 may belong to thousands of customers, or to one. */
export const siteGroups = 3;
export const siteFactor = 10;

/** Keyed hash of an IPv6 client's /48; null for IPv4. */
export const clientSiteHash = async (c: Context<App>): Promise<string | null> =>
  c.req.header('cf-connecting-ip')?.includes(':') ? clientIpHash(c, siteGroups) : null;

/** The limit for the client's /64, and ten times the limit for its /48; none for an unknown IP. */
export async function ipLimits(c: Context<App>, { name, max, windowMs }: Limit): Promise<Limit[]> {
  const ip = c.req.header('cf-connecting-ip');
  if (!ip) return [];
  const limit = async (network: string, factor: number) => ({
    name: `${name} address ${await hashOf(c, network)}`,
    max: max * factor,
    windowMs,
  });
  const own = await limit(ipPrefix(ip), 1);
  return ip.includes(':') ? [own, await limit(ipPrefix(ip, siteGroups), siteFactor)] : [own];
}
