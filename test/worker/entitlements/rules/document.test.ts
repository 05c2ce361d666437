import { expect, test } from 'vitest';
import { entitlementDocument } from '../../../../worker/entitlements/rules/document.ts';
import type { Entitlements } from '../../../../worker/payments/purchase/entitlements.ts';

test('entitlement document: each ends at an ISO time, or never', () => {
  const active = [
    { key: 'plan', until: Date.UTC(2026, 10, 21) },
    { key: 'guide', until: null },
  ];
  const entitlements = { account: 'a', version: 3, active } as unknown as Entitlements;
  expect(entitlementDocument(entitlements)).toEqual({
    account: 'a',
    version: 3,
    active: [
      { key: 'plan', until: '2026-11-21T00:00:00.000Z' },
      { key: 'guide', until: null },
    ],
  });
});
