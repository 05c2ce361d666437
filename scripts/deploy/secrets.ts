import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CommandError } from '../command.ts';
import { type Cloudflare, isNoWorker } from './cloudflare-api.ts';

interface Secret {
  /** The variable that requires it; `always` without one. */
  with: string;
  /** `random`: generated. `terminal`: typed in. `setup`: stored by `npm run setup`. `file`: only from `--secrets`. */
  from: 'random' | 'terminal' | 'setup' | 'file';
  /** Consequence of its absence. */
  without: string;
}

/** Every secret of `worker/variables.md`. */
export const secrets: Readonly<Record<string, Secret>> = {
  TOKEN_SECRET: { with: 'always', from: 'random', without: 'nobody can sign up' },
  PHONE_HASH_SECRET: { with: 'always', from: 'random', without: 'no SMS is sent' },
  ADMIN_TOKEN: { with: 'always', from: 'random', without: '/admin is off' },
  STRIPE_SECRET_KEY: {
    with: 'STRIPE_PUBLISHABLE_KEY',
    from: 'terminal',
    without: 'Stripe takes no payments',
  },
  STRIPE_WEBHOOK_SECRET: {
    with: 'STRIPE_PUBLISHABLE_KEY',
    from: 'setup',
    without: 'Stripe’s renewals and refunds are not noticed; npm run setup -- stripe stores it',
  },
  BRAINTREE_PRIVATE_KEY: {
    with: 'BRAINTREE_MERCHANT_ID',
    from: 'terminal',
    without: 'Braintree takes no payments',
  },
  RESEND_API_KEY: { with: 'EMAIL_FROM', from: 'terminal', without: 'e-mails wait in their queue' },
  TWILIO_AUTH_TOKEN: { with: 'TWILIO_ACCOUNT_SID', from: 'terminal', without: 'no SMS is sent' },
  META_TOKEN: {
    with: 'META_PIXEL_ID',
    from: 'file',
    without: 'purchases are not reported to Meta',
  },
  TIKTOK_TOKEN: {
    with: 'TIKTOK_PIXEL_ID',
    from: 'file',
    without: 'purchases are not reported to TikTok',
  },
  GOOGLE_ANALYTICS_SECRET: {
    with: 'GOOGLE_ANALYTICS_ID',
    from: 'file',
    without: 'purchases are not reported to Google Analytics',
  },
  ENTITLEMENT_WEBHOOK_SECRETS: {
    with: 'ENTITLEMENT_WEBHOOK_URL',
    from: 'file',
    without: 'changes are not sent to the app’s server; npm run ops -- signing-key generates one',
  },
  SERVER_KEY_HASHES: {
    with: '',
    from: 'file',
    without: 'the app’s server cannot read entitlements; npm run ops -- server-key generates one',
  },
  ALARM_WEBHOOK_URL: { with: '', from: 'file', without: 'alarms go to the log and by e-mail' },
  ANALYTICS_PROVIDERS: {
    with: '',
    from: 'file',
    without: 'events are not sent to analytics providers',
  },
  GOOGLE_GEOCODER_KEY: { with: '', from: 'file', without: 'the built-in list of cities is used' },
  TOKEN_SECRET_PREVIOUS: { with: '', from: 'file', without: 'earlier tokens are invalid' },
};

export interface MissingSecret extends Secret {
  name: string;
}

/** Secrets that the variables require and the Worker does not have. */
export function missingSecrets(
  vars: Readonly<Record<string, unknown>>,
  stored: ReadonlySet<string>,
): MissingSecret[] {
  return Object.entries(secrets)
    .filter(([name, secret]) => {
      const isCalledFor = secret.with === 'always' || Boolean(vars[secret.with]);
      return isCalledFor && !stored.has(name);
    })
    .map(([name, secret]) => ({ name, ...secret }));
}

/** Names of a Worker's secrets; none before it exists. */
export async function storedSecrets(api: Cloudflare, worker: string): Promise<Set<string>> {
  try {
    const path = `/accounts/workers/scripts/${worker}/secrets`;
    return new Set((await api.get<{ name: string }[]>(path)).map(({ name }) => name));
  } catch (error) {
    if (isNoWorker(error)) return new Set();
    throw error;
  }
}

/** `NAME=value` lines, or a JSON object. @throws CommandError for an unknown name */
export function readSecrets(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandError(`${file} cannot be read.`, { cause });
  }
  let values: NodeJS.Dict<unknown>;
  try {
    values = text.trimStart().startsWith('{') ? JSON.parse(text) : parseEnv(text);
  } catch (cause) {
    throw new CommandError(`${file} is neither JSON nor lines of NAME=value.`, { cause });
  }
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!(name in secrets)) {
      throw new CommandError(
        `${file} contains ${name}, which is not a secret. Variables belong in [vars].`,
      );
    }
    if (typeof value !== 'string') throw new CommandError(`${name} in ${file} is not text.`);
    read[name] = value;
  }
  return read;
}

const randomSecret = () => randomBytes(32).toString('hex');

interface Answers {
  /** Values of the file given with `--secrets`. */
  given: Readonly<Record<string, string>>;
  /** Asks for one value; null without a terminal. */
  ask: ((secret: MissingSecret) => Promise<string>) | null;
  print: (line: string) => void;
}

/** Values of the missing secrets. @throws CommandError that lists those not given */
export async function collectSecrets(
  missing: readonly MissingSecret[],
  { given, ask, print }: Answers,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const unanswered: string[] = [];
  for (const secret of missing) {
    const { name, from, without } = secret;
    const value = given[name] || (from === 'random' && randomSecret()) || '';
    if (value) values[name] = value;
    else if (from === 'setup' || from === 'file') print(`${name} is not set: ${without}.`);
    else if (ask) values[name] = await ask(secret);
    else unanswered.push(name);
    if (name === 'ADMIN_TOKEN' && !given[name]) {
      if (ask) print(`ADMIN_TOKEN=${value}  Keep it: Cloudflare does not show it again.`);
      else delete values[name];
    }
  }
  if (unanswered.length === 0) return values;
  throw new CommandError(
    `Missing: ${unanswered.join(', ')}. Write them into a file as NAME=value and add --secrets FILE.`,
  );
}
