import { decimal } from '../text-table.ts';
import { Unconfirmed } from './admin-client.ts';
import type { Context } from './context.ts';
import { withRetries } from './retry.ts';

interface Wanted {
  /** Minor units; all that is left of the payment when null. */
  amount: number | null;
  reason: string;
  /** Names this command, so that repeating it gives back no more. */
  key: string;
}

/** Gives money of a payment back, and says how much. */
export async function refund(
  payment: string,
  { amount, reason, key }: Wanted,
  context: Context,
): Promise<void> {
  const body = { payment_id: payment, amount, reason, key };
  try {
    const { refunded } = await withRetries(context, () =>
      context.site.post<{ refunded: number }>('/refunds', body),
    );
    context.say(`${decimal(refunded)} given back of ${payment}`);
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    throw new Unconfirmed(
      `${error.message}\nNobody knows whether it happened. Repeat the command with --key ${key}`,
    );
  }
}
