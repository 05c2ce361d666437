import { type Period, periods } from './plans.ts';

/** The first one takes a payment where nothing names another. */
export const gatewayNames = ['stripe', 'braintree'] as const;

type GatewayName = (typeof gatewayNames)[number];

export const defaultGateway: GatewayName = gatewayNames[0];

export const billedPeriods: Readonly<Record<GatewayName, readonly Period[]>> = {
  stripe: periods,
  // `billing_frequency` is in months (developer.paypal.com/braintree/docs/reference/response/plan).
  braintree: periods.filter((period) => period !== 'week'),
};
