import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

const settings = { stripe_publishable_key: 'pk_1', stripe_account_name: 'main' };
const fallback = { key: 'pk_default', name: 'default' };
const ok = (more: object = {}) => Response.json({ ...settings, ...more });
const down = () => Response.json({}, { status: 500 });

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});

/** A document of somebody with a session; `answer` is the endpoint's. */
async function open(answer: (bearer: string) => Response, main: Record<string, string> = {}) {
  fakeBrowser({ main, local: new Map(), session: new Map() });
  const calls: Headers[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
    calls.push(new Headers(headers));
    return answer(calls.at(-1)?.get('authorization') ?? '');
  });
  const { $signup } = await import('../../../islands/stores/signup.ts');
  const { $app } = await import('../../../islands/stores/app.ts');
  const module = await import('../../../islands/vendors/payment-settings.ts');
  $signup.set({ ...$signup.get(), token: 't' });
  /** Lets the retries pass. */
  const settled = async <T>(work: Promise<T>) => {
    const result = work.catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(5000);
    return result;
  };
  return { ...module, $signup, $app, calls, settled };
}

it('payment settings: use the given gateway, or Stripe', async () => {
  const { loadPaymentSettings, forgetPaymentSettings, $signup } = await open(() => ok());
  await loadPaymentSettings();
  expect($signup.get()).toMatchObject({
    paymentSettingsStatus: 'success',
    paymentProvider: 'stripe',
    stripe: { key: 'pk_1', name: 'main' },
    threeDS: 0,
  });
  const other = { payment_gateway: 'braintree', braintree_client_token: 'bt' };
  vi.stubGlobal('fetch', async () => ok({ ...other, request_three_d_secure: 1 }));
  forgetPaymentSettings();
  await loadPaymentSettings();
  expect($signup.get()).toMatchObject({ paymentProvider: 'braintree', btToken: 'bt', threeDS: 1 });
});

it('payment settings: retry twice, a second apart', async () => {
  const answers = [down, down, ok];
  const { loadPaymentSettings, $signup, calls } = await open(() => (answers.shift() ?? ok)());
  const loaded = loadPaymentSettings();
  await vi.advanceTimersByTimeAsync(999);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect([await loaded, calls.length]).toEqual([true, 3]);
  expect($signup.get().paymentSettingsStatus).toBe('success');
});

it('payment settings: fall back to Stripe with the default key and name', async () => {
  const { paymentSettings, settled, $signup } = await open(down);
  await settled(paymentSettings(fallback));
  expect($signup.get()).toMatchObject({
    paymentSettingsStatus: 'fail',
    paymentProvider: 'stripe',
    stripe: fallback,
  });
});

it('payment settings: have no key without an account', async () => {
  const { paymentSettings, $signup, settled } = await open(() => ok());
  $signup.setKey('token', '');
  expect(await settled(paymentSettings(fallback))).toBe('no account');
});

it('payment settings: all parts of a document share a request', async () => {
  const { paymentSettings, loadPaymentSettings, calls } = await open(() => ok());
  await Promise.all([paymentSettings(), loadPaymentSettings(), paymentSettings(fallback)]);
  expect((await paymentSettings()).stripe.key).toBe('pk_1');
  expect(calls).toHaveLength(1);
});

it('payment settings: all parts of a document share a failure, each with its own default', async () => {
  const { paymentSettings, settled, calls } = await open(down);
  const both = Promise.all([
    settled(paymentSettings({ key: '', name: '' })),
    settled(paymentSettings(fallback)),
  ]);
  const [without, withDefault] = await both;
  expect(without).toBe('no payment provider');
  expect(withDefault).toMatchObject({ stripe: fallback });
  await settled(paymentSettings(fallback));
  expect(calls).toHaveLength(3);
});

it('payment settings: a person who tries again requests them again', async () => {
  let answer = down;
  const { paymentSettings, forgetPaymentSettings, settled, calls } = await open(() => answer());
  expect(await settled(paymentSettings())).toBe('no payment provider');
  answer = () => ok();
  forgetPaymentSettings();
  expect(await settled(paymentSettings())).toMatchObject({ stripe: { key: 'pk_1' } });
  expect(calls).toHaveLength(4);
});

it('payment settings: are requested with each token', async () => {
  const key = (bearer: string) => ok({ stripe_publishable_key: bearer });
  const { paymentSettings, loadPaymentSettings, $signup, calls } = await open(key);
  await paymentSettings(fallback, 'of a card link');
  expect($signup.get().stripe.key).toBe('Bearer of a card link');
  await loadPaymentSettings('t');
  expect(calls.map((headers) => headers.get('authorization'))).toEqual([
    'Bearer of a card link',
    'Bearer t',
  ]);
});

it('payment settings: a page that holds a price asks for its time, once, and shows no more than is left', async () => {
  const main = { terms: 'v|en|us|1|UTC|monthly_5d!,quarterly|stamp' };
  const { paymentSettings, $signup, $app, calls } = await open(
    () => ok({ offer_seconds_left: 20 }),
    main,
  );
  const now = Date.now();
  // Known from the document before.
  $signup.set({ ...$signup.get(), paymentSettingsStatus: 'success', paymentSettingsAt: now });
  await Promise.all([paymentSettings(), paymentSettings()]);
  expect(calls.map((headers) => headers.get('x-terms'))).toEqual([main.terms]);
  expect($app.get().deadline).toBe(now + 20_000);
});

it('payment settings: the server’s time does not prolong the countdown of the page', async () => {
  const { paymentSettings, $app } = await open(() => ok({ offer_seconds_left: 300 }));
  const deadline = Date.now() + 1000;
  $app.setKey('deadline', deadline);
  await paymentSettings();
  expect($app.get().deadline).toBe(deadline);
});
