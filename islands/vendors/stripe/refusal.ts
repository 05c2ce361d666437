import type { StripeError } from '@stripe/stripe-js';
import { CardError, ConnectionError } from '../payment-provider.ts';
import { fieldOf } from './card-fields.ts';

export function refusal({ type, code, message = '' }: StripeError): Error {
  if (type === 'api_connection_error') return new ConnectionError(message);
  const field = fieldOf(code);
  return new CardError(message, field ? { [field]: message } : {});
}
