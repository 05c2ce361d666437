import { afterEach, expect, test } from 'vitest';
import { fakeTarget, type Target } from './harness.ts';

let target: Target | undefined;
afterEach(() => target?.close());

const day = 24 * 60 * 60_000;

async function customerWith(nonce?: string) {
  target = await fakeTarget();
  const { sdk, fake } = target;
  if (!fake) throw new Error('no fake');
  const { customer } = await sdk.customer.create({ email: 'ada@example.com' });
  const create = (options: object) =>
    sdk.paymentMethod.create({ customerId: customer.id, ...options } as never);
  if (nonce) {
    await create({ paymentMethodNonce: nonce, token: 'old', options: { makeDefault: true } });
  }
  return { ...target, fake, customer, create };
}

test('Braintree fake: a card is stored under our token, verified, as the default', async () => {
  const { sdk, create, customer } = await customerWith('fake-valid-nonce');
  const created = await create({
    paymentMethodNonce: 'fake-valid-mastercard-nonce',
    token: 'ours',
    options: { verifyCard: true, makeDefault: true },
  });
  expect(created).toMatchObject({ success: true, paymentMethod: { token: 'ours', last4: '4444' } });
  expect(await sdk.paymentMethod.find('ours')).toMatchObject({
    customerId: customer.id,
    cardType: 'MasterCard',
    default: true,
  });
  expect(await sdk.paymentMethod.find('old')).toMatchObject({ default: false });
});

test('Braintree fake: a token in use and a consumed nonce are refused with their codes', async () => {
  const { create } = await customerWith('fake-valid-nonce');
  const codes = async (options: object) => {
    const { errors } = (await create(options)) as unknown as {
      errors: { deepErrors(): { code: string }[] };
    };
    return errors.deepErrors().map(({ code }) => code);
  };
  expect(await codes({ paymentMethodNonce: 'fake-valid-nonce', token: 'old' })).toEqual(['91719']);
  expect(await codes({ paymentMethodNonce: 'fake-consumed-nonce' })).toEqual(['93107']);
  expect(await codes({ paymentMethodNonce: 'nonce-of-nobody' })).toEqual(['93108']);
});

test('Braintree fake: a card that its bank declines is not stored', async () => {
  const { sdk, create } = await customerWith();
  const created = await create({
    paymentMethodNonce: 'fake-processor-declined-visa-nonce',
    token: 'ours',
    options: { verifyCard: true },
  });
  expect(created).toMatchObject({
    success: false,
    verification: { status: 'processor_declined', processorResponseCode: '2000' },
  });
  await expect(sdk.paymentMethod.find('ours')).rejects.toMatchObject({ type: 'notFoundError' });
});

/** Buys an intro of seven days with the old card. */
const subscribe = (sdk: Awaited<ReturnType<typeof customerWith>>['sdk'], id: string) =>
  sdk.subscription.create({
    id,
    planId: 'monthly_usd',
    paymentMethodToken: 'old',
    price: '39.99',
    trialPeriod: true,
    trialDuration: 7,
    trialDurationUnit: 'day',
  });

test('Braintree fake: the balance of a past due subscription is charged to its new card, once', async () => {
  const { sdk, fake, create, pass } = await customerWith('fake-valid-nonce');
  await subscribe(sdk, 'renewing');
  fake.decline('old', '2001');
  await pass(8 * day);
  await fake.passTime();
  expect(await sdk.subscription.find('renewing')).toMatchObject({
    status: 'Past Due',
    balance: '39.99',
  });
  expect(await sdk.subscription.retryCharge('renewing', '39.99', true)).toMatchObject({
    success: false,
    transaction: { status: 'processor_declined', processorResponseCode: '2001' },
  });
  await create({ paymentMethodNonce: 'fake-valid-mastercard-nonce', token: 'new' });
  await sdk.subscription.update('renewing', {
    paymentMethodToken: 'new',
    options: { prorateCharges: false },
  } as never);
  const paid = await sdk.subscription.retryCharge('renewing', '39.99', true);
  expect(paid).toMatchObject({
    success: true,
    transaction: { status: 'submitted_for_settlement', creditCard: { last4: '4444' } },
  });
  expect(await sdk.subscription.find('renewing')).toMatchObject({
    status: 'Active',
    balance: '0.00',
  });
  const again = await sdk.subscription.retryCharge('renewing', '39.99', true);
  expect(again.errors.deepErrors().map(({ code }) => code)).toEqual(['91531']);
  expect(fake.captures()).toHaveLength(1);
});

test('Braintree fake: a failed renewal is retried twice, ten days apart, and then with the next bill and a grown balance', async () => {
  const { sdk, fake, pass } = await customerWith('fake-valid-nonce');
  await subscribe(sdk, 'unpaid');
  fake.decline('old', '2001');
  const after = async (days: number) => {
    await pass(days * day);
    await fake.passTime();
    const { failureCount, balance } = (await sdk.subscription.find('unpaid')) as unknown as {
      failureCount: number;
      balance: string;
    };
    return [failureCount, balance];
  };
  expect(await after(8)).toEqual([1, '39.99']);
  expect(await after(10)).toEqual([2, '39.99']);
  expect(await after(10)).toEqual([3, '39.99']);
  expect(await after(11)).toEqual([4, '79.98']);
});
