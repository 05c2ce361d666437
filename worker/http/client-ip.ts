import type { Context } from 'hono';
import type { App } from '../env.ts';
import { hmacOf } from './hmac.ts';
import { signingSecret } from './signing-secret.ts';

/** An address, or the /64 of an IPv6 one: its owner has all the rest of it. */
export function ipPrefix(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const groups = head.split(':').filter(Boolean);
  const behind = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - behind.length)).fill('0');
  const whole = [...groups, ...zeros, ...behind].slice(0, 4);
  return whole.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

/**
 * What stands for the address of who asks, wherever it is counted: a keyed hash. Null where nobody
 * says the address, as on this machine: only Cloudflare sets the header, and it sets it always.
 */
export async function clientIpHash(c: Context<App>): Promise<string | null> {
  const address = c.req.header('cf-connecting-ip');
  return address ? hmacOf(signingSecret(c.env), `address:${ipPrefix(address)}`) : null;
}
