import type { Entitlements } from '../../payments/rules/entitlements.ts';

/** As the API answers and as webhooks carry it: no personal data but the account's id. */
export const entitlementDocument = ({ account, version, active }: Entitlements) => ({
  account,
  version,
  active: active.map(({ until, ...entitlement }) => ({
    ...entitlement,
    until: until === null ? null : new Date(until).toISOString(),
  })),
});
