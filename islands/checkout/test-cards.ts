/** Approved in each provider's test mode. */
export const testCards = {
  stripe: '4242 4242 4242 4242',
  braintree: '4111 1111 1111 1111',
} as const;
