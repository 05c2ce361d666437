import { InvalidArgumentError } from 'commander';
import { decimal } from '../text-table.ts';
import { type Context, Unconfirmed, withRetries } from './admin-client.ts';

interface RefundRequest {
  /** Minor units; null refunds everything that is left of the payment. */
  amount: number | null;
  reason: string;
  /** Idempotency key: repeating the command refunds nothing more. */
  key: string;
}

/** An amount such as `12.50` in minor units. */
export function minorOf(text: string): number {
  const [, whole, cents] = /^(\d{1,7})\.(\d{2})$/.exec(text) ?? [];
  const minor = Number(whole) * 100 + Number(cents);
  if (minor > 0) return minor;
  throw new InvalidArgumentError('Expected an amount with two decimals, such as 12.50.');
}

export async function refund(
  payment: string,
  { amount, reason, key }: RefundRequest,
  context: Context,
): Promise<void> {
  const body = { payment_id: payment, amount, reason, key };
  try {
    const { refunded } = await withRetries(context, () =>
      context.site.post<{ refunded: number }>('/refunds', body),
    );
    context.say(`Refunded ${decimal(refunded)} of ${payment}.`);
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    throw new Unconfirmed(
      `${error.message}\nThe refund may have been made. To find out, repeat the command with --key ${key}`,
    );
  }
}
