/** HTTP status by error code. `error-codes.md` documents them; the texts are in `locales`. */
export const statuses = {
  not_found: 404,
  unexpected: 500,
  unavailable: 503,
  malformed_body: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  cross_origin_request: 403,
  rate_limited: 429,
  unauthorized: 401,
  javascript_required: 422,
  phone_incorrect: 400,
  phone_ambiguous: 422,
  phone_lookup_failed: 503,
  geocoding_failed: 404,
  email_invalid: 422,
  email_taken: 422,
  too_many_signups: 429,
  signup_failed: 503,
  google_not_configured: 503,
  google_unavailable: 503,
  google_refused: 401,
  google_email_unverified: 422,
  product_api_failed: 502,
  deeplink_unknown: 404,
  deeplink_used: 410,
  deeplink_expired: 410,
  deeplink_used_elsewhere: 410,
  manual_code_wrong: 422,
  mailbox_code_wrong: 422,
  sign_in_link_unknown: 404,
  sign_in_link_used: 410,
  sign_in_link_expired: 410,
  card_link_unknown: 404,
  card_link_used: 410,
  card_link_expired: 410,
  too_many_emails: 429,
  email_failed: 503,
  guide_not_owned: 403,
  plan_unknown: 404,
  poll_unknown: 404,
  gateway_unknown: 422,
  coupon_unknown: 422,
  coupon_expired: 422,
  coupon_not_for_plan: 422,
  coupon_used_up: 422,
  coupon_used: 409,
  terms_changed: 409,
  purchase_in_progress: 409,
  already_active: 409,
  plan_ending: 409,
  payment_overdue: 409,
  plan_unpaid: 409,
  account_suspended: 403,
  debit_pending: 409,
  payment_unconfirmed: 409,
  payment_disputed: 409,
  plan_paused: 409,
  plan_not_offered: 409,
  preview_sells_nothing: 409,
  method_not_offered: 409,
  intro_used: 409,
  offer_ended: 409,
  full_price_only: 409,
  nonce_missing: 422,
  main_plan_required: 409,
  payment_intent_mismatch: 409,
  card_declined: 402,
  too_many_declines: 429,
  card_testing_protection: 429,
  payment_failed: 402,
  card_not_needed: 409,
  card_update_failed: 402,
  card_saved_unpaid: 402,
  gateway_changed: 409,
  webhook_refused: 400,
  webhook_not_queued: 500,
  payment_unknown: 404,
  refund_too_large: 422,
  refund_refused: 409,
  idempotency_key_reused: 409,
  gateway_ambiguous: 502,
  queue_unavailable: 503,
  purchase_unknown: 404,
  purchase_pending: 409,
  not_renewing: 409,
  withdrawal_expired: 409,
  resume_expired: 409,
  change_not_possible: 409,
  change_in_progress: 409,
  quote_expired: 409,
  too_many_resumptions: 429,
  email_unverified: 403,
  number_not_mobile: 422,
  name_refused: 422,
  name_not_personal: 422,
  country_not_supported: 422,
  number_unavailable: 409,
  invitation_linked: 409,
  invitation_texted: 409,
  written_elsewhere: 409,
  daily_invitation_limit: 429,
  invitations_paused: 403,
  invitations_disabled: 503,
  invitation_failed: 503,
  invitation_unknown: 404,
  own_invitation: 403,
  invitation_ended: 410,
  number_not_invited: 422,
  opt_out_code_not_sent: 429,
  opt_out_code_at_night: 409,
  opt_out_code_wrong: 422,
  guarantee_expired: 409,
} as const;

export type ErrorCode = keyof typeof statuses;

export class Refusal extends Error {
  readonly code: ErrorCode;
  /** The invalid field of the request, such as `amount` or `events.0.name`. */
  readonly field: string | undefined;
  constructor(code: ErrorCode, field?: string) {
    super(code);
    this.code = code;
    this.field = field;
  }
}

/** A refusal as a value, because an error thrown by a Durable Object loses its class on the way to the caller. */
export interface Refused<Code extends ErrorCode = ErrorCode> {
  kind: 'refused';
  refusal: Code;
}

export const refused = <Code extends ErrorCode>(refusal: Code): Refused<Code> => ({
  kind: 'refused',
  refusal,
});

const isRefused = (result: { kind: string } | null): result is Refused =>
  result?.kind === 'refused';

/** @throws Refusal for a refusal; else returns the result */
export function throwIfRefused<Result extends { kind: string } | null>(
  result: Result,
): Exclude<Result, Refused> {
  if (isRefused(result)) throw new Refusal(result.refusal);
  return result as Exclude<Result, Refused>;
}

/** A binding failed or timed out; the call may be repeated. */
export class Unavailable extends Error {
  override name = 'Unavailable';
  readonly binding: string;
  constructor(binding: string, reason: string) {
    super(reason);
    this.binding = binding;
  }
}
