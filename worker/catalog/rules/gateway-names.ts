/** The first one takes a payment where nothing names another. */
export const gatewayNames = ['stripe', 'braintree'] as const;

export const defaultGateway: (typeof gatewayNames)[number] = gatewayNames[0];
