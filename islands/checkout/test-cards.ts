/** Approved in each provider's test mode; the spaces keep a number in one line. */
export const testCards = {
  stripe: '4242\u00a04242\u00a04242\u00a04242',
  braintree: '4111\u00a01111\u00a01111\u00a01111',
} as const;
