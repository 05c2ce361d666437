import type { StripeElementStyle } from '@stripe/stripe-js';

export type FieldType = 'cardNumber' | 'cardExpiry' | 'cardCvc';

/** What a page may set on a field. */
export interface FieldOptions {
  style?: StripeElementStyle;
  placeholder?: string;
  disabled?: boolean;
  showIcon?: boolean;
}

/** What a field is told once, in the fragment of its address, which no server sees. */
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

/** Everything that a field ever says of its value. */
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

/** What the frame of the bank is told, and what it says when the customer is done. */
export interface ChallengeSetup {
  intent: string;
  secret: string;
  key: string;
  api: string;
  page: string;
}
export type FromChallenge = { kind: 'challenged' };
