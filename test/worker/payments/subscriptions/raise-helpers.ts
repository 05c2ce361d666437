import { expect } from 'vitest';
import type { Plan } from '../../../../worker/catalog/rules/plans.ts';
import type { Raise } from '../../../../worker/payments/purchase/renewal-state.ts';
import type { RaiseCommand } from '../../../../worker/payments/subscriptions/price-raises.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import { planNamed } from '../attempts/attempt-fixture.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { ownedIn } from './change-helpers.ts';

/** The second version of the monthly plan: 49.99 instead of 39.99. */
export const dearer: Plan = {
  ...planNamed('monthly_usd'),
  id: 'monthly@2_usd',
  family: 'monthly@2',
  price: minor(4999),
  today: minor(4999),
};

export const raiseTo = (from: number, change: Partial<RaiseCommand> = {}): RaiseCommand => ({
  plans: [dearer],
  from: epochMs(from),
  needsYes: false,
  isStart: true,
  ...change,
});

/** As the account's object stores it. */
export function raiseOf(driven: DrivenObject, slot = 'main'): Omit<Raise, 'plan'> {
  const { raise } = ownedIn(driven, slot).subscription;
  if (!raise) throw new Error('no raise');
  return raise;
}

/** The e-mail's vendor accepts the notice, or refuses it. */
export async function deliverNotice(driven: DrivenObject, isSent = true): Promise<void> {
  const { attempt } = ownedIn(driven).subscription;
  const id = `price_raise:${attempt}:${raiseOf(driven).announcedAt}`;
  await driven.run((object) => object.noticed({ id, isSent, mailId: null }));
}

/** Announces a raise, and has its notice accepted. */
export async function announce(driven: DrivenObject, command: RaiseCommand): Promise<void> {
  const rows = await driven.run((object) => object.raisePrices(command));
  expect(rows).toMatchObject([{ state: 'announced' }]);
  await deliverNotice(driven);
}
