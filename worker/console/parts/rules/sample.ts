import type { AccountId } from '../../../platform/types.ts';
/** KV key that `npm start` writes with its sample data; production never reads it. */
export const sampleKey = 'sample';

/** The value of the key. Times are ms since 1970. */
export interface SampleNote {
  /** Start of the first day. */
  first: number;
  /** Events before this time are in the databases. */
  until: number;
  /** E-mail of a sample buyer. */
  buyer: string;
}

/** Real accounts have random ids. */
export const isSample = (account: AccountId): boolean => account.startsWith('sample-');

export const noBank =
  'Sample data: no payment here is real. To try a refund, make a purchase on the site.';
