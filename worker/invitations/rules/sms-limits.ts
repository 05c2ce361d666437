import type { AccountId } from '../../types.ts';
/** A day (UTC), on invitations and on their total price in cents. */
export interface SmsLimits {
  account: number;
  number: number;
  prefix: number;
  country: number;
  day: number;
  cents: number;
}

export const defaultLimits: SmsLimits = {
  account: 5,
  number: 2,
  prefix: 20,
  country: 1000,
  day: 3000,
  cents: 20_000,
};

export interface SmsRequest {
  /** The requester, and the keyed hash of the number; null for an opt-out code. */
  account: AccountId | null;
  number: string | null;
  /** Keyed hash of the number without its last four digits. */
  prefix: string;
  /** ISO 3166 alpha-2. */
  country: string;
  cents: number;
}

/** The counters that an SMS raises, each with its limit and the refusal once it is reached. */
export function countersFor(request: SmsRequest, limits: SmsLimits) {
  const { account, number, prefix, country, cents } = request;
  const asked = [
    { name: `account:${account}`, by: 1, limit: limits.account, refusal: 'daily_invitation_limit' },
    { name: `number:${number}`, by: 1, limit: limits.number, refusal: 'number_unavailable' },
  ] as const;
  return [
    ...asked.filter((_, at) => [account, number][at] !== null),
    { name: `prefix:${prefix}`, by: 1, limit: limits.prefix, refusal: 'daily_invitation_limit' },
    { name: `country:${country}`, by: 1, limit: limits.country, refusal: 'daily_invitation_limit' },
    { name: 'day', by: 1, limit: limits.day, refusal: 'daily_invitation_limit' },
    { name: 'cents', by: cents, limit: limits.cents, refusal: 'invitations_off' },
  ] as const;
}

export const prefixOf = (e164: string): string => e164.slice(0, -4);
