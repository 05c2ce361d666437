import type { Stripe } from 'stripe';

/** The `error` of a reply. https://docs.stripe.com/api/errors */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

/** Thrown by a handler: becomes a reply with this status and error. */
export class Refused extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

const docs = (code: string) => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

/** 400 invalid_request_error. */
export function invalid(message: string, code?: string, param?: string): Refused {
  return new Refused(400, {
    type: 'invalid_request_error',
    message,
    ...(code ? { code, doc_url: docs(code) } : {}),
    ...(param ? { param } : {}),
  });
}

/** No such object: 404 when it is the one in the path, 400 when a parameter names it. */
export function missing(kind: string, id: string, param = 'id'): Refused {
  return new Refused(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: docs('resource_missing'),
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** 401: no key, or one that is not ours. https://docs.stripe.com/api/authentication */
export const unauthorized = (message: string, code?: string): Refused =>
  new Refused(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) });

/** 402 card_error. https://docs.stripe.com/error-handling#payment-errors */
export const cardError = (body: Omit<ErrorBody, 'type'>): Refused =>
  new Refused(402, {
    type: 'card_error',
    ...(body.code ? { doc_url: docs(body.code) } : {}),
    ...body,
  });
