import type { Entitlements } from '../../payments/purchase/entitlements.ts';

/** The document in API responses and webhooks; its only personal data is the account's id. */
export const entitlementDocument = ({ account, version, active }: Entitlements) => ({
  account,
  version,
  active: active.map(({ until, ...entitlement }) => ({
    ...entitlement,
    until: until === null ? null : new Date(until).toISOString(),
  })),
});
