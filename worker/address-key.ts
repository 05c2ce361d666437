import type { Context } from 'hono';
import type { App } from './env.ts';
import { keyedHash } from './keyed-hash.ts';
import type { Limit } from './storage/rate-counts.ts';
import { secretOf } from './token.ts';

/** An address, or the first groups of an IPv6 one, by default its /64: its owner has all the rest of it. */
export function networkOf(address: string, wanted = 4): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const groups = head.split(':').filter(Boolean);
  const behind = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - behind.length)).fill('0');
  const whole = [...groups, ...zeros, ...behind].slice(0, wanted);
  return whole.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

const keyOf = (c: Context<App>, network: string) =>
  keyedHash(secretOf(c.env), `address:${network}`);

/**
 * What stands for the address of who asks, wherever it is counted: a keyed hash. Null where nobody
 * says the address, as on this machine: only Cloudflare sets the header, and it sets it always.
 */
export async function addressKey(c: Context<App>): Promise<string | null> {
  const address = c.req.header('cf-connecting-ip');
  return address ? keyOf(c, networkOf(address)) : null;
}

/** How many times the bound of one address its /48 has: one customer may own it, or thousands share it. */
const shareOfSite = 10;

/**
 * So many uses by one address within so many ms; none where nobody says the address. An IPv6 address is
 * counted as its /64 and as its /48.
 */
export async function limitsOfAddress(
  c: Context<App>,
  { name, most, span }: Limit,
): Promise<Limit[]> {
  const address = c.req.header('cf-connecting-ip');
  if (!address) return [];
  const limit = async (network: string, share: number) => ({
    name: `${name} address ${await keyOf(c, network)}`,
    most: most * share,
    span,
  });
  const own = await limit(networkOf(address), 1);
  return address.includes(':') ? [own, await limit(networkOf(address, 3), shareOfSite)] : [own];
}
