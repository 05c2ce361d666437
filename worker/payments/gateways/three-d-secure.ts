import type { Env } from '../../env.ts';

/** The number that payment settings say of 3-D Secure: 0 for leaving it to the bank. */
export const threeDSecureOf = ({ REQUEST_THREE_D_SECURE }: Env): number =>
  Number(REQUEST_THREE_D_SECURE) || 0;

/** Whether every payer is to be verified whose card can be, at either payment provider. */
export const requestsThreeDSecure = (env: Env): boolean => threeDSecureOf(env) > 0;
