import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { bankPurchase, ibans } from '../bank-fixture.ts';
import {
  buyer,
  dayMs,
  forgetIntros,
  hourMs,
  recordEmails,
  runAlarm,
  type Stub,
  startPurchase,
  stubGateways,
} from '../payments-fixture.ts';
import { shownTerms } from './attempt-fixture.ts';

type Bank = 'sepa_debit' | 'ideal';

/** A clock that only `later` moves, and accounts that pay by bank. */
function bankStreet() {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const all: Stub[] = [];
  return {
    fakes,
    async person(email: string, iban: string, bank: Bank = 'sepa_debit') {
      const { stub, purchase } = buyer({ email, terms: shownTerms() });
      all.push(stub);
      return {
        ...{ stub, emails: await recordEmails(stub), purchase },
        /** @returns the polling id */
        async buy(other = iban, by: Bank = bank) {
          const payment = await bankPurchase(fakes.stripe, by, other);
          const pollingId = await startPurchase(stub, { ...purchase, ...payment });
          await runAlarm(stub);
          const paymentId = (await stub.result(pollingId))?.paymentId ?? null;
          if (by === 'ideal') {
            fakes.stripe.challenge(paymentId ?? '', 'authenticated');
            await startPurchase(stub, { ...purchase, ...payment, nonce: null, paymentId });
            await runAlarm(stub);
          }
          return pollingId;
        },
        reasons: async () => (await stub.entitlements()).active.map(({ reason }) => reason),
        state: async (id: string) => (await stub.result(id))?.state,
        owned: async () => (await stub.ownedSubscriptions()).at(-1)?.subscription,
      };
    },
    async later(ms: number) {
      vi.setSystemTime(Date.now() + ms);
      fakes.stripe.passTime();
      for (const stub of all) {
        await stub.sync();
        await runAlarm(stub);
      }
    },
  };
}

type Street = ReturnType<typeof bankStreet>;
type Person = Awaited<ReturnType<Street['person']>>;

const mailbox = 'p.ayer+1@gmail.com';

/** How a debit of a person comes back. */
const bounces: Record<string, (street: Street) => Promise<Person>> = {
  async 'a first debit that the bank did not pay'(street) {
    const person = await street.person(mailbox, ibans.failsLater);
    await person.buy();
    await street.later(5 * dayMs);
    return person;
  },
  async 'a paid debit that the payer took back'(street) {
    const person = await street.person(mailbox, ibans.pays);
    const pollingId = await person.buy();
    await street.later(5 * dayMs);
    street.fakes.stripe.dispute((await person.stub.result(pollingId))?.charge?.paymentId ?? '');
    await street.later(dayMs);
    return person;
  },
  async 'a renewal’s debit that the bank did not pay'(street) {
    const person = await street.person(mailbox, ibans.paysLater, 'ideal');
    await person.buy();
    const { state } = street.fakes.stripe;
    for (const id of Object.keys(state.banks)) state.banks[id] = ibans.failsLater;
    await street.later(((await person.owned())?.paidUntil ?? 0) + 2 * hourMs - Date.now());
    await street.later(dayMs);
    return person;
  },
};

const who: Record<string, { email?: string; iban: string; access: string[] }> = {
  'the account': { iban: ibans.paysLater, access: [] },
  'a new account of the mailbox': {
    email: 'Payer@googlemail.com',
    iban: ibans.paysLater,
    access: [],
  },
  'a stranger': { email: 'stranger@example.com', iban: ibans.paysLater, access: ['provisional'] },
};

test.each(
  Object.keys(bounces).flatMap((bounce) => Object.keys(who).map((one) => [bounce, one] as const)),
)('bounced debit: after %s, access of %s begins as it must', async (bounce, one) => {
  const street = bankStreet();
  const first = await bounces[bounce]?.(street);
  const { email, access, iban } = who[one] ?? { iban: '', access: [] };
  if (!first) throw new Error(bounce);
  // The account that still has its plan cannot buy it again; its renewals are the next test's.
  if (!email) {
    await first.stub.cancelSubscription((await first.owned())?.attempt ?? ('' as never));
    vi.setSystemTime(Date.now() + 120_000);
    await runAlarm(first.stub);
    await street.later(40 * dayMs);
  }
  expect(await first.reasons()).toEqual([]);
  const next = email ? await street.person(email, iban) : first;
  const pollingId = await next.buy(iban, 'sepa_debit');
  expect([await next.state(pollingId), await next.reasons()]).toEqual(['processing', access]);
  await street.later(dayMs);
  expect([await next.state(pollingId), await next.reasons()]).toEqual(['active', ['subscription']]);
});

test('bounced debit: the bank account is known again in a new account with another mailbox', async () => {
  const street = bankStreet();
  await (await street.person('one@example.com', ibans.failsLater)).buy();
  await street.later(5 * dayMs);
  const second = await street.person('two@example.com', ibans.failsLater);
  const pollingId = await second.buy();
  expect([await second.state(pollingId), await second.reasons()]).toEqual(['processing', []]);
  expect(second.emails.sent.map(({ template, data }) => [template, data])).toMatchObject([
    ['debit_processing', { waits: true }],
  ]);
  await street.later(5 * dayMs);
  expect(await second.state(pollingId)).toBe('declined');
});

test('bounced debit: five repetitions in one account give access once', async () => {
  const street = bankStreet();
  const person = await street.person(mailbox, ibans.failsLater);
  const seen: string[][] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    await person.buy();
    seen.push(await person.reasons());
    await street.later(5 * dayMs);
    seen.push(await person.reasons());
  }
  expect(seen.flat()).toEqual(['provisional']);
});

test('bounced debit: of two accounts of a bank account the second loses its access when the first debit bounces', async () => {
  const street = bankStreet();
  const first = await street.person('one@example.com', ibans.failsLater);
  const second = await street.person('two@example.com', ibans.failsLater);
  await first.buy();
  await street.later(60_000);
  await second.buy();
  expect([await first.reasons(), await second.reasons()]).toEqual([
    ['provisional'],
    ['provisional'],
  ]);
  await street.later(150_000);
  await street.later(1000);
  expect([await first.reasons(), await second.reasons()]).toEqual([[], []]);
  expect(second.emails.templates()).toEqual(['debit_processing', 'debit_processing']);
});

test('bounced debit: it is remembered after the account was deleted', async () => {
  const street = bankStreet();
  const first = await street.person(mailbox, ibans.failsLater);
  await first.buy();
  await street.later(5 * dayMs);
  await first.stub.deleteAccount(async () => null);
  const second = await street.person('Payer@googlemail.com', ibans.paysLater);
  await second.buy();
  expect(await second.reasons()).toEqual([]);
});

test('bounced debit: the next renewals give access when their money has arrived', async () => {
  const street = bankStreet();
  const person = await bounces['a renewal’s debit that the bank did not pay']?.(street);
  if (!person) throw new Error('nobody');
  const { state } = street.fakes.stripe;
  expect(await person.reasons()).toEqual([]);
  for (const id of Object.keys(state.banks)) state.banks[id] = ibans.paysLater;
  const retries = Object.values(state.invoices).map((one) => one.next_payment_attempt ?? 0);
  // The bank answers the retry after three minutes.
  await street.later(Math.max(...retries) * 1000 + 60_000 - Date.now());
  expect([(await person.owned())?.isDebited, await person.reasons()]).toEqual([true, []]);
  await street.later(180_000);
  expect(await person.reasons()).toEqual(['subscription']);
});

test('bounced debit: while D1 does not answer, access waits, and begins with the next look-up', async () => {
  const street = bankStreet();
  const person = await street.person('one@example.com', ibans.paysLater);
  const down = vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
    throw new Error('down');
  });
  await runInDurableObject(person.stub, async (object: Purchases) => {
    await object.buy({
      ...person.purchase,
      ...(await bankPurchase(street.fakes.stripe, 'sepa_debit')),
    });
    await object.alarm();
  });
  expect(await person.reasons()).toEqual([]);
  down.mockRestore();
  await forgetIntros();
  await street.later(60_000);
  expect(await person.reasons()).toEqual(['provisional']);
});
