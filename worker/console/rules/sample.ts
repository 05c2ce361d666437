/** KV key that `npm start` writes beside its sample data; production never looks at it. */
export const sampleKey = 'sample';

/** What the key says. Times are ms since 1970. */
export interface SampleNote {
  /** Start of the first day. */
  first: number;
  /** Earlier events are in the databases. */
  until: number;
  /** E-mail of a sample buyer. */
  buyer: string;
}

/** Other accounts have random ids. */
export const isSample = (account: string): boolean => account.startsWith('sample-');

export const noBank =
  'Sample data: no bank has this payment. Buy once at the site to try a refund.';
