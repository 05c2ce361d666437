import { afterEach, expect, test, vi } from 'vitest';
import { callStripe } from '../../../worker/vendors/stripe-line.ts';

afterEach(() => void vi.unstubAllGlobals());

const answer = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
const call = (path: string) => callStripe(`https://api.stripe.com/v1/${path}`);

test('an answer about what was asked for is handed on whole', async () => {
  answer({ id: 'pi_1', status: 'succeeded' });
  const response = await call('payment_intents/pi_1/confirm');
  expect(await response.json()).toEqual({ id: 'pi_1', status: 'succeeded' });
});

test.each([{ id: 'pi_2' }, { object: 'list' }, {}, null, 'pi_1'])(
  '%j is no answer about pi_1',
  async (body) => {
    answer(body);
    await expect(call('payment_intents/pi_1')).rejects.toThrow('something else');
  },
);

test.each([
  ['a list', 'subscriptions?customer=cus_1', 200],
  ['what is made', 'customers', 200],
  ['a method by another of its names', 'payment_methods/pm_card_visa/attach', 200],
  ['a refusal', 'payment_intents/pi_1', 402],
])('%s is not held to a name', async (_, path, status) => {
  answer({ id: 'another' }, status);
  expect((await call(path)).status).toBe(status);
});
