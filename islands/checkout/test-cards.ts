import type { GatewayName } from '../../worker/payments/purchase/state.ts';

/** Approved in each provider's test mode. No-break spaces keep a number on one line. */
export const testCards: Record<GatewayName, string> = {
  stripe: '4242\u00a04242\u00a04242\u00a04242',
  braintree: '4111\u00a01111\u00a01111\u00a01111',
};
