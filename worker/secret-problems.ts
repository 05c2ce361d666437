import { type Env, isProduction } from './env.ts';

/** Fewer characters could be guessed. */
const shortest = 32;

/** Whether operators can be let in by `ADMIN_TOKEN`; outside production a short one will do. */
export const isAdminTokenGood = (env: Env): boolean =>
  Boolean(env.ADMIN_TOKEN) && (!isProduction(env) || Number(env.ADMIN_TOKEN?.length) >= shortest);

/** Which secrets are set, but cannot be used as they are. */
export function secretProblems(env: Env): string[] {
  const refused = {
    TOKEN_SECRET: !(env.TOKEN_SECRET?.length >= shortest),
    TOKEN_SECRET_PREVIOUS: env.TOKEN_SECRET_PREVIOUS && env.TOKEN_SECRET_PREVIOUS.length < shortest,
    NUMBER_SECRET: env.NUMBER_SECRET && env.NUMBER_SECRET.length < shortest,
    ADMIN_TOKEN: env.ADMIN_TOKEN && !isAdminTokenGood(env),
  };
  const names = Object.entries(refused).flatMap(([name, is]) => (is ? [name] : []));
  return names.map((name) => `${name} needs ${shortest} characters`);
}
