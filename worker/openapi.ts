import { toJsonSchema } from '@valibot/to-json-schema';
import type { Hono } from 'hono';
import { bearer, cardBearer } from './accounts/access-token.ts';
import { productApi } from './accounts/product-api-proxy.ts';
import { serverKey } from './entitlements/entitlements-api.ts';
import { bodyRules } from './http/json-body.ts';
import type { App } from './platform/env.ts';
import { type ErrorCode, statuses } from './platform/errors.ts';

type Answer = ErrorCode | 200 | 202 | 204 | 429;

const emails: Answer[] = [202, 'too_many_emails', 'email_failed'];
const subscriptionCodes: ErrorCode[] = [
  ...([
    'plan_unknown',
    'gateway_unknown',
    'plan_not_offered',
    'preview_sells_nothing',
    'method_not_offered',
    'terms_changed',
  ] as const),
  ...(['coupon_unknown', 'coupon_expired', 'coupon_not_for_plan', 'coupon_used_up'] as const),
  ...(['coupon_used', 'plan_paused', 'plan_unpaid', 'debit_pending'] as const),
  ...(['purchase_in_progress', 'already_active', 'plan_ending', 'payment_overdue'] as const),
  ...(['main_plan_required', 'nonce_missing', 'payment_intent_mismatch'] as const),
  ...(['too_many_declines', 'card_testing_protection', 'intro_used', 'full_price_only'] as const),
  ...(['offer_ended', 'account_suspended'] as const),
];
const declines: ErrorCode[] = [
  ...(['card_declined', 'payment_failed', 'gateway_changed'] as const),
  ...(['intro_used', 'full_price_only', 'coupon_used'] as const),
];
const invitationCodes: ErrorCode[] = [
  ...(['phone_incorrect', 'name_refused', 'country_not_supported', 'number_not_mobile'] as const),
  ...(['phone_ambiguous', 'name_not_personal'] as const),
  ...(['invitations_disabled', 'phone_lookup_failed'] as const),
];
const inviteeCodes: ErrorCode[] = ['invitation_unknown', 'own_invitation', 'invitation_ended'];

const answers: Record<string, readonly Answer[]> = {
  'POST /signup': ['email_taken', 'too_many_signups', 'signup_failed'],
  'POST /authorize_social_via_access_token': [
    ...(['google_not_configured', 'google_unavailable', 'google_refused'] as const),
    ...(['google_email_unverified', 'email_taken', 'too_many_signups', 'signup_failed'] as const),
  ],
  'POST /users/me/sign-out': [],
  'POST /sign-in-link': emails,
  'POST /sign-in-link/check': [],
  'POST /sign-in-link/open': ['sign_in_link_unknown', 'sign_in_link_used', 'sign_in_link_expired'],
  'POST /users/me/mailbox-code': emails,
  'POST /users/me/mailbox': ['mailbox_code_wrong'],
  'POST /card-link/check': [],
  'POST /card-link/open': ['card_link_unknown', 'card_link_used', 'card_link_expired'],
  'POST /users/me/other-browser-link': [],
  'GET /users/me/deeplink-qr-code': [],
  'POST /users/me/deeplink': [],
  'POST /users/me/deeplink/email': emails,
  'GET /users/me/manual-code': [],
  'POST /deeplink/check': [],
  'POST /deeplink/redeem': [
    ...(['deeplink_unknown', 'deeplink_used', 'deeplink_expired'] as const),
    ...(['deeplink_used_elsewhere', 'manual_code_wrong'] as const),
  ],
  'POST /deeplink/email': emails,
  'GET /users/me/guide': ['guide_not_owned'],
  'GET /entitlements': [],
  'GET /accounts/{account}/entitlements': ['not_found'],
  'GET /users/me/export': ['email_unverified'],
  'DELETE /users/me': ['purchase_pending'],
  'POST /users/me/delete': ['purchase_pending'],
  'GET /users/me/payments-settings': [],
  'POST /coupons': [
    ...(['plan_unknown', 'coupon_unknown', 'coupon_expired'] as const),
    ...(['coupon_not_for_plan', 'coupon_used_up'] as const),
  ],
  'POST /users/me/subscriptions/polling/{plan}': subscriptionCodes,
  'POST /users/me/subscriptions/{plan}': [200, 202, ...subscriptionCodes, ...declines],
  'GET /polling/get-result/{id}': [200, 202, 'poll_unknown', ...declines],
  'GET /users/me/purchases': [],
  'GET /users/me/card': [],
  'POST /users/me/card': [
    ...(['card_not_needed', 'gateway_unknown', 'purchase_in_progress'] as const),
    ...(['too_many_declines', 'card_testing_protection', 'account_suspended'] as const),
  ],
  'GET /users/me/card/updates/{key}': [
    ...([200, 202, 'poll_unknown', 'card_declined'] as const),
    ...(['card_update_failed', 'card_saved_unpaid'] as const),
  ],
  'POST /users/me/subscriptions/{attempt}/cancel': ['purchase_unknown', 'not_renewing'],
  'POST /users/me/subscriptions/{attempt}/early-end': [
    ...(['purchase_unknown', 'quote_expired', 'change_in_progress'] as const),
  ],
  'POST /users/me/subscriptions/{attempt}/resume': [
    ...(['purchase_unknown', 'main_plan_required', 'resume_expired'] as const),
    ...(['too_many_resumptions', 'account_suspended'] as const),
  ],
  'POST /users/me/subscriptions/{attempt}/changes': [
    ...(['purchase_unknown', 'change_not_possible', 'change_in_progress', 'unavailable'] as const),
    'account_suspended',
  ],
  'POST /users/me/subscriptions/{attempt}/changes/{change}': [
    ...([200, 202, 'quote_expired', 'change_in_progress', 'too_many_declines'] as const),
    'account_suspended',
  ],
  'POST /users/me/withdrawal': ['purchase_unknown', 'withdrawal_expired'],
  'GET /users/me/guarantee': [],
  'POST /users/me/guarantee': ['guarantee_expired'],
  'POST /users/me/invitations/sms-preview': ['phone_incorrect', 'unavailable'],
  'POST /users/me/invitations': [
    ...invitationCodes,
    ...(['main_plan_required', 'payment_overdue', 'payment_unconfirmed'] as const),
    ...(['payment_disputed', 'plan_paused', 'number_unavailable', 'unavailable'] as const),
    ...([
      'invitation_texted',
      'invitation_linked',
      'daily_invitation_limit',
      'invitations_paused',
      'invitation_failed',
    ] as const),
  ],
  'GET /users/me/invitations': [],
  'POST /users/me/invitations/{id}/send': ['invitation_unknown', 'email_unverified'],
  'DELETE /users/me/invitations/{id}': ['invitation_unknown'],
  'POST /invitations/open': inviteeCodes,
  'POST /invitations/accept': [...inviteeCodes, 'unavailable'],
  'POST /invitations/decline': inviteeCodes,
  'POST /invitations/stop': inviteeCodes,
  'POST /invitations/block': inviteeCodes,
  'POST /invitations/opt-out-code': [
    202,
    ...inviteeCodes,
    ...(['number_not_invited', 'number_not_mobile'] as const),
    ...(['opt_out_code_not_sent', 'opt_out_code_at_night'] as const),
  ],
  'POST /invitations/opt-out': [...inviteeCodes, 'opt_out_code_wrong'],
  'GET /cf-country': [],
  'POST /phone-number-info': ['phone_incorrect', 'phone_lookup_failed'],
  'GET /geocode': ['geocoding_failed'],
  'POST /consent': [],
  'POST /events': [200, 204],
  'POST /reports': [204, 429, 'malformed_body'],
};

const prefix = '/api/v1';
const proxied = new Set<unknown>(Object.values(productApi));

/** The responses of everything before the handler: guards, session, body, and the outside product API. */
function answersOf(method: string, handlers: readonly unknown[]): Answer[] {
  const codes: Answer[] = ['unavailable', 'unexpected'];
  if (method !== 'GET') {
    codes.push('cross_origin_request', 'rate_limited', 'body_too_large', 'unsupported_media_type');
  }
  const hasSession = handlers.includes(bearer) || handlers.includes(cardBearer);
  if (hasSession || handlers.includes(serverKey)) codes.push('unauthorized');
  if (hasSession && method !== 'GET') codes.push('email_unverified');
  if (handlers.some((handler) => proxied.has(handler))) codes.push('product_api_failed');
  for (const handler of handlers) codes.push(...(bodyRules.get(handler as object)?.codes ?? []));
  return codes;
}

const errorSchema = (codes: string[]) => ({
  type: 'object',
  properties: {
    errors: {
      type: 'object',
      properties: {
        code: { enum: codes },
        messages: { type: 'array', items: { type: 'string' } },
        field: { type: 'string' },
      },
    },
  },
});

function responsesOf(all: readonly Answer[]) {
  const byStatus = new Map<number, string[]>();
  if (!all.some((answer) => Number(answer) < 300)) byStatus.set(200, []);
  for (const answer of all) {
    const status = typeof answer === 'number' ? answer : statuses[answer];
    const codes = byStatus.get(status) ?? [];
    if (typeof answer === 'string' && !codes.includes(answer)) codes.push(answer);
    byStatus.set(status, codes);
  }
  const responses = [...byStatus].map(([status, codes]) => {
    const content = { 'application/json': { schema: errorSchema(codes) } };
    return [status, { description: codes.join(', '), ...(codes.length > 0 && { content }) }];
  });
  return Object.fromEntries(responses);
}

function requestBodyOf(handlers: readonly unknown[]) {
  const rule = handlers.map((handler) => bodyRules.get(handler as object)).find(Boolean);
  if (!rule) return {};
  const schema = toJsonSchema(rule.schema, { errorMode: 'ignore', typeMode: 'input' });
  const content = Object.fromEntries(rule.types.map((type) => [type, { schema }]));
  return { requestBody: { required: true, content } };
}

function securityOf(handlers: readonly unknown[]) {
  if (handlers.includes(serverKey)) return [{ serverKey: [] }];
  const hasSession = handlers.includes(bearer) || handlers.includes(cardBearer);
  return hasSession ? [{ bearer: [] }] : [];
}

export function openApiDocument({ routes }: Pick<Hono<App>, 'routes'>) {
  const calls = new Map<string, unknown[]>();
  for (const { method, path, handler } of routes) {
    if (method === 'ALL' || !path.startsWith(`${prefix}/`)) continue;
    const call = `${method} ${path.slice(prefix.length).replace(/:(\w+)(\{.*?\}(?=\/|$))?/g, '{$1}')}`;
    calls.set(call, [...(calls.get(call) ?? []), handler]);
  }
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [call, handlers] of calls) {
    const [method = '', path = ''] = call.split(' ');
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        parameters: names.map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        security: securityOf(handlers),
        ...requestBodyOf(handlers),
        responses: responsesOf([...answersOf(method, handlers), ...(answers[call] ?? [])]),
      },
    };
  }
  const http = { type: 'http', scheme: 'bearer' };
  const securitySchemes = { bearer: http, serverKey: http };
  return {
    openapi: '3.1.0',
    info: { title: 'Funnel', version: '1', description: 'See error-codes.md for each code.' },
    servers: [{ url: prefix }],
    components: { securitySchemes },
    paths,
  };
}
