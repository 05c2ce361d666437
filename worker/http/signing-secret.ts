import type { Env } from '../env.ts';

function longEnough(name: string, secret: string): string {
  // A short secret would let anybody sign tokens of any account.
  if (!(secret?.length >= 32)) throw new Error(`${name} needs 32 characters`);
  return secret;
}

/** The secret that everything of ours is signed with. */
export const signingSecret = (env: Env): string => longEnough('TOKEN_SECRET', env.TOKEN_SECRET);

/** The secrets that verify, the signing one first: the previous one stays good while it is replaced. */
export function verificationSecrets(env: Env): string[] {
  const { TOKEN_SECRET_PREVIOUS: previous } = env;
  return [signingSecret(env), ...(previous ? [longEnough('TOKEN_SECRET_PREVIOUS', previous)] : [])];
}
