import type { GatewayName } from '../../worker/payments/purchase/state.ts';

/** Nonces that both fake banks approve. */
export const approved: Record<GatewayName, string> = {
  stripe: 'pm_card_visa',
  braintree: 'fake-valid-nonce',
};

/** Nonces that both fake banks accept, and decline when charged. */
export const declining: Record<GatewayName, string> = {
  stripe: 'pm_card_chargeCustomerFail',
  braintree: 'fake-processor-declined-visa-nonce',
};
