import { type Env, isProduction } from '../platform/env.ts';

type Settings = Pick<
  Env,
  'ENVIRONMENT' | 'ENTITLEMENT_WEBHOOK_URL' | 'ENTITLEMENT_WEBHOOK_SECRETS' | 'SERVER_KEY_HASHES'
>;

const words = (text: string | undefined): string[] => text?.split(/[\s,]+/).filter(Boolean) ?? [];

/** SHA-256 in hexadecimal of each key that the app's servers may use. */
export const serverKeyHashes = (env: Settings): string[] => words(env.SERVER_KEY_HASHES);

/** Newest first. Each secret signs every message. */
export const signingSecrets = (env: Settings): string[] => words(env.ENTITLEMENT_WEBHOOK_SECRETS);

/** 24 to 64 bytes in base64 (Standard Webhooks, "Signature scheme"). */
const secretPattern = /^whsec_[A-Za-z\d+/]{32,86}={0,2}$/;
const hashPattern = /^[\da-f]{64}$/;
/** More signatures would make the header long, and nobody rotates more than two keys at once. */
const maxSecrets = 2;

function isUrlValid(text: string, env: Settings): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && !isProduction(env));
}

export function entitlementProblems(env: Settings): string[] {
  const { ENTITLEMENT_WEBHOOK_URL: url } = env;
  const secrets = signingSecrets(env);
  const areSecretsValid =
    secrets.length > 0 &&
    secrets.length <= maxSecrets &&
    secrets.every((secret) => secretPattern.test(secret));
  return [
    ...(url && !isUrlValid(url, env) ? ['ENTITLEMENT_WEBHOOK_URL is no https URL'] : []),
    ...(url && !areSecretsValid
      ? ['ENTITLEMENT_WEBHOOK_SECRETS needs one or two whsec_ keys']
      : []),
    ...(serverKeyHashes(env).every((hash) => hashPattern.test(hash))
      ? []
      : ['SERVER_KEY_HASHES has something that is no SHA-256']),
  ];
}
