import type { StripeElementStyle } from '@stripe/stripe-js';

export type FieldType = 'cardNumber' | 'cardExpiry' | 'cardCvc';

/** What a page may set on a field. */
export interface FieldOptions {
  style?: StripeElementStyle;
  placeholder?: string;
  disabled?: boolean;
  showIcon?: boolean;
}

/** Sent once to a field, in its URL fragment, which no server sees. */
export interface FieldSetup {
  type: FieldType;
  options: FieldOptions;
  /** Name of the channel on which the fields of one form talk. */
  group: string;
  key: string;
  /** Where `/payment_methods` is. */
  api: string;
  /** Origin of the page. */
  page: string;
}

export interface FieldError {
  type: 'validation_error';
  code: string;
  message: string;
}

/** All that a field discloses about its value. */
export interface FieldValue {
  empty: boolean;
  complete: boolean;
  brand?: string;
  error?: FieldError;
}

export type FromField =
  | { kind: 'ready' | 'focus' | 'blur' | 'escape' | 'submit' }
  | { kind: 'change'; value: FieldValue }
  | { kind: 'answer'; call: number; result: object };

export type ToField =
  | { kind: 'focus' | 'blur' | 'clear' }
  | { kind: 'update'; options: FieldOptions }
  | { kind: 'create'; call: number; details: object };

/** Between the fields only: the page has no way onto this channel's origin. */
export type AmongFields =
  | { kind: 'brand'; brand: string }
  | { kind: 'collect' }
  | { kind: 'collected'; type: FieldType; text: string };

/** Messages to and from the bank's frame. */
export interface ChallengeSetup {
  intent: string;
  secret: string;
  key: string;
  api: string;
  page: string;
}
export type FromChallenge = { kind: 'challenged' };
