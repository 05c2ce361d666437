import type { Brand } from 'valibot';

/** A schema makes them with `v.brand('AccountId')`. */
export type AccountId = string & Brand<'AccountId'>;
/** Also the order id at the payment provider. */
export type AttemptId = string & Brand<'AttemptId'>;
export type PaymentId = string & Brand<'PaymentId'>;
export type VisitorId = string & Brand<'VisitorId'>;
export type InvitationId = string & Brand<'InvitationId'>;

/** An amount in minor units of its currency, such as cents. */
export type Minor = number & Brand<'Minor'>;
export type EpochMs = number & Brand<'EpochMs'>;

/** Sums and differences of amounts are plain numbers until they are named an amount again. */
export const minor = (amount: number): Minor => amount as Minor;
export const epochMs = (ms: number): EpochMs => ms as EpochMs;
