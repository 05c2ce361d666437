import type { Env } from '../env.ts';

/** With a shorter one anybody could sign tokens of any account. */
export const minSecretLength = 32;

function longEnough(name: string, secret: string): string {
  if (!(secret?.length >= minSecretLength)) {
    throw new Error(`${name} needs ${minSecretLength} characters`);
  }
  return secret;
}

/** @throws Error when `TOKEN_SECRET` is missing or too short */
export const signingSecret = (env: Env): string => longEnough('TOKEN_SECRET', env.TOKEN_SECRET);

/** The signing secret, then the previous one, which stays valid during a rotation. */
export function verificationSecrets(env: Env): string[] {
  const { TOKEN_SECRET_PREVIOUS: previous } = env;
  return [signingSecret(env), ...(previous ? [longEnough('TOKEN_SECRET_PREVIOUS', previous)] : [])];
}
