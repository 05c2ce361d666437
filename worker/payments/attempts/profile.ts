import type { StripeWallet } from '../../catalog/rules/stripe-wallets.ts';
import type { AccountId } from '../../platform/types.ts';
import type { AbandonedAttempt } from '../purchase/failover.ts';
import type { GatewayName } from '../purchase/state.ts';

export interface CustomerIds {
  customerId: string;
  methodId: string | null;
  isDebit?: boolean;
  wallet?: StripeWallet | null;
}

export interface Profile {
  account: AccountId;
  email: string;
  siteOrigin?: string;
  /** Ms since 1970. */
  signedUpAt?: number;
  isDeleted?: boolean;
  /** Whether nobody has proven the mailbox, so that no limit of a person counts for it. */
  isUnproven?: boolean;
  /** What was bought before does not count for its limits, ms since 1970. */
  countsFrom?: number;
  /** Keyed hashes of the proven mailbox that D1 has; of a deleted account, those that it lacks. */
  marked?: string[];
  unmarked?: string[];
  gatewaysToErase?: GatewayName[];
  hasInvitationsToErase?: boolean;
  abandoned?: AbandonedAttempt[];
  /** When cancellations were undone within the last day, ms since 1970. */
  resumedAt?: number[];
  cardCheckAt?: number | null;
  customers: Partial<Record<GatewayName, CustomerIds>>;
}
