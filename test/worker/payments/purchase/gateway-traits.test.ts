import { expect, test } from 'vitest';
import { gatewayNames } from '../../../../worker/catalog/rules/gateway-names.ts';
import { sells } from '../../../../worker/payments/purchase/gateway-traits.ts';

const club = { id: 'club_usd', period: 'quarter' } as const;
const weekly = { id: 'weekly_usd', period: 'week' } as const;

test.each([
  [club, {}, ['stripe', 'braintree']],
  [weekly, {}, ['stripe']],
  [club, { braintree: ['club_usd'] }, ['stripe']],
  [club, { stripe: ['club_eur', 'club@2_usd'], braintree: [] }, ['stripe', 'braintree']],
  [weekly, { stripe: ['weekly_usd'] }, []],
])('sale: %j, unsold %j, is sold by %j', (plan, unsold, names) => {
  expect(gatewayNames.filter((name) => sells(name, plan, unsold))).toEqual(names);
});
