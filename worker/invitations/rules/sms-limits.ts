import type { ErrorCode } from '../../platform/errors.ts';
import type { AccountId } from '../../platform/types.ts';

/** Limits per UTC day: numbers of SMS and of invitations by link, and their total price in cents. */
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
  country: string;
  cents: number;
  /**
   * A reminder, or the SMS about an end. It counts like any SMS, but only the budget holds it back: otherwise a
   * requester could use up their invitations, so that nobody is reminded.
   */
  isFollowUp?: boolean;
}

export interface Counter {
  name: string;
  by: number;
  limit: number;
  refusal: ErrorCode;
}

/** The requester's counters; none for an opt-out code. */
export const requesterCounters = (
  { account, isFollowUp }: SmsRequest,
  limits: SmsLimits,
): Counter[] =>
  account === null
    ? []
    : [
        {
          name: `account:${account}`,
          by: 1,
          limit: isFollowUp ? Number.POSITIVE_INFINITY : limits.account,
          refusal: 'daily_invitation_limit',
        },
      ];

export const numberCounters = (
  { account, number, prefix, isFollowUp }: SmsRequest,
  limits: SmsLimits,
): Counter[] => [
  ...(number === null
    ? []
    : [
        {
          name: `number:${number}`,
          by: 1,
          limit: isFollowUp ? Number.POSITIVE_INFINITY : limits.number,
          refusal: 'number_unavailable',
        } as const,
      ]),
  {
    name: `${account === null ? 'code-' : ''}prefix:${prefix}`,
    by: 1,
    limit: isFollowUp ? Number.POSITIVE_INFINITY : limits.prefix,
    refusal: 'daily_invitation_limit',
  },
];

/** Opt-out codes take at most a tenth of each daily limit, so that whoever has links cannot use up the others' SMS. */
const codeShare = 10;

export function budgetCounters(
  { account, country, cents }: SmsRequest,
  limits: SmsLimits,
): Counter[] {
  const all: Counter[] = [
    {
      name: `country:${country}`,
      by: 1,
      limit: limits.country,
      refusal: 'daily_invitation_limit',
    },
    { name: 'day', by: 1, limit: limits.day, refusal: 'daily_invitation_limit' },
    { name: 'cents', by: cents, limit: limits.cents, refusal: 'invitations_disabled' },
  ];
  if (account !== null) return all;
  const ofCodes = (one: Counter): Counter => ({
    ...one,
    name: `codes:${one.name}`,
    limit: Math.ceil(one.limit / codeShare),
  });
  return [...all, ...all.map(ofCodes)];
}

export const prefixOf = (e164: string): string => e164.slice(0, -4);
