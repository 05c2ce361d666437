/** Approved in each provider's test mode. No-break spaces keep a number on one line. */
export const testCards = {
  stripe: '4242\u00a04242\u00a04242\u00a04242',
  braintree: '4111\u00a01111\u00a01111\u00a01111',
} as const;
