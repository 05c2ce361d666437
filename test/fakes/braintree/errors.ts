/** Has one of Braintree's validation codes. */
export class Invalid extends Error {
  readonly code: string;
  /** Where in the input, such as `paymentMethodId`. */
  readonly field: string;
  /** What REST files it under, such as `subscription`. */
  readonly of: string;
  constructor(code: string, field: string, message: string, of = 'transaction') {
    super(message);
    this.code = code;
    this.field = field;
    this.of = of;
  }
}

export class NotFound extends Error {}
export class NotAllowed extends Error {}

/** A call or field that this fake does not implement; answered 501. */
export class NotImplemented extends Error {}
