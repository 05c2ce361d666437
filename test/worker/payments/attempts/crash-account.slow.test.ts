import { expect, vi } from 'vitest';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { dayMs, remainingAmounts } from '../payments-fixture.ts';
import { buyPlan, subscriptionIn, testCrashes } from './crash-fixture.ts';

const invitationsPerDay = 100;
let invitationCount = 0;

// A file of its own: each run leaves open databases, and a process may have 20,000 open files.
testCrashes({
  async 'a claim of the guarantee, which ends what was asked'(driven, purchase, fakes) {
    // Invitations are limited per day.
    vi.setSystemTime(Date.now() + Math.floor(invitationCount++ / invitationsPerDay) * dayMs);
    const { id } = await buyPlan(driven, purchase, fakes);
    const { stub, request } = await newInvitee({ account: purchase.account, via: 'link' });
    const invited = await stub.invite(request);
    if (invited.kind === 'refused') throw new Error(invited.refusal);
    await driven.run((object) => object.claim([id]));
    await driven.runDueAlarms();
    expect(remainingAmounts(fakes.captured())).toEqual([0]);
    expect(await stub.viewForRequester(invited.view.id, purchase.account)).toMatchObject({
      state: 'not_shared',
    });
  },
  async 'a deleted account'(driven, purchase, fakes) {
    const { stripe, braintree } = fakes;
    await buyPlan(driven, purchase, fakes);
    await driven.run((object) => object.deleteAccount(async () => null));
    await driven.runDueAlarms();
    const known = [stripe, braintree].flatMap(({ state }) => Object.values(state.customers));
    expect(known.map(({ email }) => email ?? '').join('')).toBe('');
    expect(subscriptionIn(driven)).toMatchObject({ ends: true });
  },
});
