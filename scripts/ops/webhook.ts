import { createHash, randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { type AdminContext, withRetries } from './admin-client.ts';

interface State {
  host: string | null;
  keys: number;
  failing_since: number | null;
  disabled_at: number | null;
}

const time = (ms: number) => new Date(ms).toISOString();

/** Parses a day or a time, such as 2026-11-20, to ms since 1970. */
export function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Expected a day or a time, such as 2026-11-20.');
}

export async function showWebhook({ site, print }: AdminContext): Promise<void> {
  const { host, keys, ...state } = await site.get<State>('/entitlement-webhook');
  if (host === null) return print('No ENTITLEMENT_WEBHOOK_URL is set.');
  print(`${host}, signed with ${keys} ${keys === 1 ? 'key' : 'keys'}.`);
  if (state.failing_since === null) return print('No failures (or no webhook was sent yet).');
  print(`It has failed since ${time(state.failing_since)}.`);
  if (state.disabled_at !== null) print(`It has been disabled since ${time(state.disabled_at)}.`);
}

/** @param since ms since 1970; undefined means since the endpoint started to fail */
export async function resendChanges(
  since: number | undefined,
  reason: string,
  context: AdminContext,
): Promise<void> {
  let queued = 0;
  let from = since;
  let after: string | undefined;
  do {
    const body = { since: from, after, reason };
    const page = await withRetries(context, () =>
      context.site.post<{ queued: number; since: number; next: string | null }>(
        '/entitlement-webhook',
        body,
      ),
    );
    queued += page.queued;
    from = page.since;
    after = page.next ?? undefined;
  } while (after !== undefined);
  context.print(`Enabled. Queued ${queued} accounts that changed since ${time(from)}.`);
}

/** A new key for the app's server, of which only the hash is stored. */
export function makeServerKey(print: (line: string) => void): void {
  const key = `sk_${randomBytes(32).toString('base64url')}`;
  const hash = createHash('sha256').update(key).digest('hex');
  print(`Key, for the app's server only: ${key}`);
  print(`Add to SERVER_KEY_HASHES, after a comma: ${hash}`);
}

/** A new key for signing webhooks, in the format of Standard Webhooks. */
export function makeSigningKey(print: (line: string) => void): void {
  print(`whsec_${randomBytes(32).toString('base64')}`);
  print('Put it before the current one in ENTITLEMENT_WEBHOOK_SECRETS, with a space between.');
}
