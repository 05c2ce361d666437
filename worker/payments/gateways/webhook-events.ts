import type { GatewayName } from '../rules/attempt.ts';

/**
 * The events that each provider's endpoint is registered for (worker/README.md), that are handled here,
 * and that the stand-ins deliver. Any other is acknowledged and dropped.
 *
 * https://docs.stripe.com/api/events/types, `WebhookNotification.Kind` of Braintree's client
 */
export const webhookEvents: Record<GatewayName, readonly string[]> = {
  stripe: [
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'payment_intent.canceled',
    'invoice.paid',
    'invoice.payment_failed',
    'invoice.payment_action_required',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'charge.refunded',
    'charge.refund.updated',
    'charge.dispute.created',
    'charge.dispute.closed',
    'radar.early_fraud_warning.created',
  ],
  braintree: [
    'subscription_billing_skipped',
    'subscription_canceled',
    'subscription_charged_successfully',
    'subscription_charged_unsuccessfully',
    'subscription_expired',
    'subscription_trial_ended',
    'subscription_went_active',
    'subscription_went_past_due',
    'dispute_opened',
    'dispute_under_review',
    'dispute_disputed',
    'dispute_accepted',
    'dispute_auto_accepted',
    'dispute_expired',
    'dispute_lost',
    'dispute_won',
    'transaction_disbursed',
    'transaction_retried',
    'transaction_reviewed',
    'transaction_settled',
    'transaction_settlement_declined',
    'refund_failed',
  ],
};
