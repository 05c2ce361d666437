/** How many invitations a day, and how much they may cost, in cents. */
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

/** A text that wants to go out. */
export interface SmsRequest {
  /** Who asks, and the keyed hash of whom; null for what the person asked for on their page. */
  account: string | null;
  number: string | null;
  /** Keyed hash of the number without its last four digits. */
  prefix: string;
  /** ISO 3166 alpha-2. */
  country: string;
  /** What its text costs. */
  cents: number;
}

/** What is counted for a text: under which name, how much of it, and up to what. */
export function countsOf(wanted: SmsRequest, limits: SmsLimits) {
  const { account, number, prefix, country, cents } = wanted;
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

/** The part of a number that ranges of numbers share: all but its last four digits. */
export const prefixOf = (e164: string): string => e164.slice(0, -4);
