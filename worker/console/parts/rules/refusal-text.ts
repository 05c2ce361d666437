import visitorTexts from '../../../../locales/en/errors.json';
import type { ErrorCode } from '../../../platform/errors.ts';

/** Texts for operators, where the visitor's text would be misleading. */
const texts: Partial<Record<ErrorCode, string>> = {
  payment_unknown: 'This account has no such payment.',
  refund_too_large: 'This is more than can still be refunded.',
  refund_refused: 'The provider refused the refund. See its dashboard for the reason.',
  gateway_ambiguous:
    'There was no response, so it may have been done. Send the same form again: it takes effect once.',
  idempotency_key_reused: 'This form was already sent with another amount.',
  too_many_emails: 'This address has already received several emails. Try again in an hour.',
  queue_unavailable: 'The queue did not accept the message. Try again.',
  email_failed: 'The email could not be queued. Try again.',
  not_found: 'There is nothing to do: it was already done or does not exist.',
  unavailable: 'A part of the platform did not respond. Try again in a minute.',
};

/** Why an action was refused, for an operator; undefined if the text is not an error code. */
export const refusalText = (code: string): string | undefined =>
  Object.hasOwn(visitorTexts, code)
    ? (texts[code as ErrorCode] ?? visitorTexts[code as ErrorCode])
    : undefined;
