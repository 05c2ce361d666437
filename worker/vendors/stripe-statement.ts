import type Stripe from 'stripe';
import type { Movement, Order, Statement } from '../funnel/purchase.ts';

export async function statement(_stripe: Stripe, { attempt }: Order): Promise<Statement> {
  throw new Error(`no statement of ${attempt.id}`);
}
export async function cancel(_stripe: Stripe, { attempt }: Order): Promise<void> {
  throw new Error(`no cancel of ${attempt.id}`);
}
export async function refund(
  _stripe: Stripe,
  { attempt }: Order,
  _paymentId: string,
  _amount: number,
  _key: string,
): Promise<Movement> {
  throw new Error(`no refund of ${attempt.id}`);
}
