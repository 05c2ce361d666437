import { randomBytes } from 'node:crypto';
import { encodeBase64Url } from 'hono/utils/encode';
import type { Env } from './env.ts';

/** A shorter secret could be guessed, and tokens of any account forged. */
export const minSecretLength = 32;

function longEnough(name: string, secret: string): string {
  if (!(secret?.length >= minSecretLength)) {
    throw new Error(`${name} needs ${minSecretLength} characters`);
  }
  return secret;
}

/** @throws Error when `TOKEN_SECRET` is missing or too short */
export const signingSecret = (env: Env): string => longEnough('TOKEN_SECRET', env.TOKEN_SECRET);

/** Never replaced, unlike the signing secret. @throws Error when it is missing or too short */
export const permanentSecret = (env: Env): string =>
  longEnough('PHONE_HASH_SECRET', env.PHONE_HASH_SECRET ?? '');

/** The signing secret, then the previous one, which stays valid during a rotation. */
export function verificationSecrets(env: Env): string[] {
  const { TOKEN_SECRET_PREVIOUS: previous } = env;
  return [signingSecret(env), ...(previous ? [longEnough('TOKEN_SECRET_PREVIOUS', previous)] : [])];
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** The kind is part of the hash, so a hash of one kind is never valid as another. */
type HashKind =
  | 'address'
  | 'visitor'
  | 'mailbox'
  | 'intro'
  | 'phone'
  | 'email-code'
  | 'mailbox-code'
  | 'manual-code'
  | 'opt-out-code'
  | 'database';

async function sign(secret: string, text: string): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, bytes(text));
}

const base64Url = (mac: ArrayBuffer) => encodeBase64Url(mac).replace(/=+$/, '');

export const hmacBytesOf = (secret: string, kind: HashKind, text: string): Promise<ArrayBuffer> =>
  sign(secret, `${kind}:${text}`);

export const armSignature = async (secret: string, value: string): Promise<string> =>
  base64Url(await sign(secret, `arm|${value}`));

export async function hmacOf(secret: string, kind: HashKind, text: string): Promise<string> {
  return base64Url(await hmacBytesOf(secret, kind, text));
}

export const randomHex = (): string => randomBytes(16).toString('hex');
