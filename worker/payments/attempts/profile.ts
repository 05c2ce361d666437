import type { StripeWallet } from '../../catalog/rules/stripe-wallets.ts';
import type { AccountId } from '../../platform/types.ts';
import type { AbandonedAttempt } from '../purchase/failover.ts';
import type { GatewayName } from '../purchase/state.ts';

export interface CustomerIds {
  customerId: string;
  methodId: string | null;
  /** Whether it is a SEPA debit. */
  isDebit?: boolean;
  wallet?: StripeWallet | null;
}

export interface Profile {
  account: AccountId;
  email: string;
  siteOrigin?: string;
  isDeleted?: boolean;
  /** Keyed hash of a mailbox that must pay in full; for a deleted account, until D1 has it. */
  fullPriceHash?: string;
  gatewaysToErase?: GatewayName[];
  hasInvitationsToErase?: boolean;
  abandoned?: AbandonedAttempt[];
  /** When cancellations were undone within the last day, ms since 1970. */
  resumedAt?: number[];
  cardCheckAt?: number | null;
  customers: Partial<Record<GatewayName, CustomerIds>>;
}
