import { build } from 'virtual:client';
import type { Handler } from 'hono';
import { entitlementProblems } from '../entitlements/settings.ts';
import { paymentProblems } from '../payments/gateways/settings.ts';
import type { App, Env } from '../platform/env.ts';
import { minSecretLength } from '../platform/hmac.ts';
import { logger } from '../platform/log.ts';
import { unanswered } from '../platform/unanswered.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { isAdminTokenValid } from './admin-auth.ts';

type State = 'ok' | 'down';

const log = logger();
const timeoutMs = 1000;

/** A missing binding throws at once, which is `down` too. */
async function probe(binding: string, call: () => Promise<unknown>): Promise<State> {
  try {
    await withTimeout(call(), timeoutMs);
    return 'ok';
  } catch (error) {
    return unanswered<State>(log, binding, 'down')(error);
  }
}

function secretProblems(env: Env): string[] {
  const { TOKEN_SECRET, TOKEN_SECRET_PREVIOUS, PHONE_HASH_SECRET, ADMIN_TOKEN } = env;
  const isShort = (secret: string | undefined) => secret && secret.length < minSecretLength;
  const refused = {
    TOKEN_SECRET: !TOKEN_SECRET || isShort(TOKEN_SECRET),
    TOKEN_SECRET_PREVIOUS: isShort(TOKEN_SECRET_PREVIOUS),
    PHONE_HASH_SECRET: isShort(PHONE_HASH_SECRET),
    ADMIN_TOKEN: ADMIN_TOKEN && !isAdminTokenValid(env),
  };
  const names = Object.entries(refused).flatMap(([name, is]) => (is ? [name] : []));
  const short = names.map((name) => `${name} needs ${minSecretLength} characters`);
  return [...short, ...entitlementProblems(env)];
}

export interface Health {
  ok: boolean;
  build: string;
  version: string | null;
  bindings: Record<'kv' | 'd1' | 'purchases', State>;
  /** Configuration errors, one line each. */
  payments: string[];
  secrets: string[];
}

export async function healthOf(env: Env): Promise<Health> {
  const { FUNNEL, DB, PURCHASES } = env;
  const [kv, d1, purchases] = await Promise.all([
    probe('FUNNEL', () => FUNNEL.get('config.json')),
    probe('DB', () => DB.prepare('SELECT 1').first()),
    probe('PURCHASES', () => PURCHASES.getByName('health').hasActiveMainPlan()),
  ]);
  const bindings = { kv, d1, purchases };
  const payments = paymentProblems(env);
  const secrets = secretProblems(env);
  const isUp = Object.values(bindings).every((state) => state === 'ok');
  const ok = isUp && payments.length === 0 && secrets.length === 0;
  const version = env.CF_VERSION_METADATA?.id ?? null;
  return { ok, build, version, bindings, payments, secrets };
}

/** 503 when a binding is down, payments are misconfigured, or a secret is too short. */
export const health: Handler<App> = async (c) => {
  const body = await healthOf(c.env);
  return c.json(body, body.ok ? 200 : 503);
};
