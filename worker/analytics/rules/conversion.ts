import type { Currency } from '../../catalog/markets.ts';
import { decimal } from '../../catalog/plans.ts';
import type { Attempt } from '../../payments/rules/attempt.ts';
import type { Attribution } from '../../visitor/attribution.ts';

/** What ad networks may learn of a buyer who allowed it when they bought; nothing names a person. */
export interface AdClickData {
  user: Attribution;
  /** The visitor's uuid, which no network is told: by it a yes that was taken back is known. */
  visitor?: string;
  /** The browser's own name, and the address of its connection: only where a network needs them. */
  agent?: string;
  address?: string;
}

/** A purchase as ad networks learn of it. */
export interface Conversion extends AdClickData {
  /** The purchase's own id, the same that the browser tells: by it a network knows it again. */
  event: string;
  plan: string;
  /** What was paid today, as a decimal. */
  price: number;
  currency: Currency;
  /** The gateway's subscription; null for what is paid once. */
  subscription: string | null;
  /** Ms since 1970. */
  at: number;
}

/** Outside production no network may count a purchase as one. */
export const pixelSuffix = (production: boolean): string => (production ? '' : '_test');

/** What the networks learn of an attempt that has just become active. @param now ms since 1970 */
export function conversionOf(
  { id, plan, amount, charge }: Attempt,
  trace: AdClickData,
  now: number,
): Conversion {
  return {
    ...trace,
    event: id,
    plan,
    price: Number(decimal(charge?.amount ?? amount)),
    currency: plan.endsWith('_eur') ? 'EUR' : 'USD',
    subscription: charge?.subscriptionId ?? null,
    at: now,
  };
}
