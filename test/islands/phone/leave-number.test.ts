import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

const navigate = vi.hoisted(() => vi.fn(async (_path?: string) => {}));
vi.mock('../../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));

const number = '+49 30 12345678';
const data = { country: 'DE', number, sms_refusal: null, other_readings: null };
const sms_refusal = { code: 'number_not_mobile', message: 'No texts' };
const found = () => Response.json({ data });
const refused = (code: string, status: number) => () =>
  Response.json({ errors: { code } }, { status });

/** What the look-up answers, and how the visitor goes on: straight, or over the screen of the look-up. */
const answers = {
  mobile: [found, 'on'],
  'landline or premium': [() => Response.json({ data: { ...data, sms_refusal } }), 'look-up'],
  'two numbers': [
    () => Response.json({ data: { ...data, other_readings: [{ number: '+1 212 555 0100' }] } }),
    'look-up',
  ],
  invalid: [refused('phone_incorrect', 400), 'look-up'],
} as const;

beforeEach(() => {
  vi.resetModules();
  navigate.mockClear();
});

async function open(answer: () => Response, main: Record<string, string> = {}) {
  fakeBrowser({ local: new Map(), main: { search: '/searching_2', ...main } });
  const fetch = vi.fn(async () => answer());
  vi.stubGlobal('fetch', fetch);
  const phone = {
    ...(await import('../../../islands/phone/entered-phone.ts')),
    ...(await import('../../../islands/stores/map.ts')),
  };
  const leave = await import('../../../islands/phone/leave-number.ts');
  const { settleNumber } = await import('../../../islands/account/signup.ts');
  return { fetch, settleNumber, ...phone, ...leave };
}

const shown = () => navigate.mock.calls.map(([path]) => path ?? 'next');

it.each(Object.entries(answers))(
  'leaving a number: %s: an ordinary screen does not wait, and the e-mail does',
  async (_kind, [answer, way]) => {
    const { fetch, setPhone, leaveNumber, settleNumber } = await open(answer);
    setPhone(number, 'DE');
    await leaveNumber();
    expect(shown()).toEqual(['next']);
    navigate.mockClear();
    const verdict = await settleNumber();
    expect([verdict === 'found', shown()]).toEqual([
      way === 'on',
      way === 'on' ? [] : ['/searching_2'],
    ]);
    expect(fetch).toHaveBeenCalled();
  },
);

it.each(Object.entries(answers))(
  'leaving a number: %s: a payment screen waits',
  async (_kind, [answer, way]) => {
    const { setPhone, leaveNumber } = await open(answer, { nextKind: 'payment' });
    setPhone(number, 'DE');
    await leaveNumber();
    expect(shown()).toEqual([way === 'on' ? 'next' : '/searching_2']);
  },
);

it('leaving a number: a link that the visitor chose settles it, and another number asks again', async () => {
  const { setPhone, chooseLink, settleNumber } = await open(answers['landline or premium'][0]);
  setPhone(number, 'DE');
  expect(await settleNumber()).toBe('ask');
  chooseLink();
  expect(await settleNumber()).toBe('found');
  setPhone('+49 30 7654321', 'DE');
  expect(await settleNumber()).toBe('ask');
});

it('leaving a number: a failed look-up keeps the e-mail where it is, and is requested again', async () => {
  const { fetch, setPhone, settleNumber } = await open(refused('phone_lookup_failed', 503));
  setPhone(number, 'DE');
  expect([await settleNumber(), await settleNumber(), shown()]).toEqual(['failed', 'failed', []]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('leaving a number: without a number an e-mail waits for nothing', async () => {
  const { fetch, settleNumber } = await open(found);
  expect(await settleNumber()).toBe('found');
  expect(fetch).not.toHaveBeenCalled();
});
