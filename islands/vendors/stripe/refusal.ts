import type { StripeError } from '@stripe/stripe-js';
import { CardError, type CardWords, ConnectionError } from '../payment-provider.ts';
import { cardField, causeOf } from './card-fields.ts';

/** @param wrong our texts for the card's fields; without them Stripe's message */
export function refusal(
  { type, code, message = '' }: StripeError,
  wrong?: CardWords['wrong'],
): Error {
  if (type === 'api_connection_error') return new ConnectionError(message);
  const field = cardField(code);
  if (!field) return new CardError(message);
  const text = wrong ? wrong[field][causeOf(code)] : message;
  return new CardError(text, { [field]: text });
}
