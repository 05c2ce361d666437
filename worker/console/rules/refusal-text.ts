import visitorTexts from '../../../locales/en/errors.json';
import type { ErrorCode } from '../../errors.ts';

/** Texts for operators, where the visitor's text would be misleading. */
const texts: Partial<Record<ErrorCode, string>> = {
  payment_unknown: 'The account’s own record has no such payment.',
  refund_too_large: 'That is more than is left of the payment.',
  refund_refused: 'The provider refused the refund. Its dashboard says why.',
  gateway_ambiguous:
    'There was no answer, so it may have been done. Send the same form again: it acts once.',
  idempotency_key_reused: 'This form was sent before with another amount.',
  too_many_emails: 'This mailbox got several emails already. Try again in an hour.',
  queue_unavailable: 'The queue did not take it. Try again.',
  email_failed: 'The email could not be queued. Try again.',
  not_found: 'There is nothing to do: it was done before, or does not exist.',
  unavailable: 'A part of the platform did not answer. Try again in a minute.',
};

/** Why an action was refused, for an operator; undefined if the text is not an error code. */
export const refusalText = (code: string): string | undefined =>
  Object.hasOwn(visitorTexts, code)
    ? (texts[code as ErrorCode] ?? visitorTexts[code as ErrorCode])
    : undefined;
