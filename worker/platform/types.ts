import type { Brand } from 'valibot';

/** Created by a schema with `v.brand('AccountId')`. */
export type AccountId = string & Brand<'AccountId'>;
/** Also the order id at the payment provider. */
export type AttemptId = string & Brand<'AttemptId'>;
export type PaymentId = string & Brand<'PaymentId'>;
export type VisitorId = string & Brand<'VisitorId'>;
export type InvitationId = string & Brand<'InvitationId'>;

export interface VisitorIdentity {
  /** For measuring and split tests. It opens nothing, because anyone may know it. */
  uuid: VisitorId;
  /** The browser's secret, which proves the id; null for a request that only names an id. */
  key: string | null;
}

/** Null for an id that the browser cannot prove, because it may be another person's. */
export const provenId = ({ uuid, key }: VisitorIdentity): VisitorId | null =>
  key === null ? null : uuid;

export const asVisitorId = (uuid: string): VisitorId => uuid as VisitorId;
export const unknownId = (): VisitorId => asVisitorId(crypto.randomUUID());

export const uuidV4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** An amount in minor units of its currency, such as cents. */
export type Minor = number & Brand<'Minor'>;
export type EpochMs = number & Brand<'EpochMs'>;

export const accountIdOf = (id: string): AccountId => id as AccountId;
export const attemptIdOf = (id: string): AttemptId => id as AttemptId;
export const paymentIdOf = (id: string): PaymentId => id as PaymentId;
export const invitationIdOf = (id: string): InvitationId => id as InvitationId;
export const minor = (amount: number): Minor => amount as Minor;
export const epochMs = (ms: number): EpochMs => ms as EpochMs;

export const add = (a: Minor, b: Minor): Minor => minor(a + b);
export const subtract = (a: Minor, b: Minor): Minor => minor(a - b);
export const sumOf = (rows: readonly { amount: Minor }[]): Minor =>
  rows.reduce((total, { amount }) => add(total, amount), minor(0));
