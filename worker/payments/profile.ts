import type { GatewayName } from './rules/attempt.ts';

/** The account's customer at a gateway, and its saved payment method. */
interface CustomerIds {
  customerId: string;
  methodId: string | null;
}

export interface Profile {
  account: string;
  email: string;
  /** Origin of our pages, for the links in e-mails. */
  siteOrigin?: string;
  /** The account was deleted: nothing is sold to it any more. */
  isDeleted?: boolean;
  /** Keyed hash of a mailbox that pays in full; of a deleted account until D1 has it. */
  fullPriceHash?: string;
  /** Gateways that still have the e-mail of an account that was deleted. */
  gatewaysToErase?: GatewayName[];
  /** When cancellations were taken back within the last day, ms since 1970. */
  resumedAt?: number[];
  customers: Partial<Record<GatewayName, CustomerIds>>;
}
