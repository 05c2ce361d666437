import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from './browser.ts';
import { intro, quarterly } from './render-html.tsx';

const navigate = vi.hoisted(() => vi.fn(async () => {}));
vi.mock('../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));
const lookUp = vi.hoisted(() => vi.fn(async () => 'found'));
vi.mock('../../islands/phone/lookup.ts', () => ({ lookUp }));

let local: Map<string, string>;
const stored = (slice: string) => JSON.parse(local.get(`funnel:1:${slice}`) ?? '{}');

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  navigate.mockClear();
  local = new Map();
  fakeBrowser({ local });
  vi.stubGlobal('FormData', class extends Map {});
});
afterEach(() => vi.useRealTimers());

/** An island whose listeners a test fires. */
function islandWith(props: object = {}, checked: object[] = []) {
  const listeners: [type: string, listener: (event: object) => void][] = [];
  const island = {
    getAttribute: () => JSON.stringify(props),
    querySelectorAll: () => checked,
    addEventListener: (...added: (typeof listeners)[number]) => void listeners.push(added),
  };
  const fire = (type: string, target?: object) => {
    for (const [name, listener] of listeners) if (name === type) listener({ target });
  };
  return { island: island as never, fire };
}

/** Touched before hydration, then live, as `first-touch.ts` and the island do. */
async function touchTwice(island: never, step: object) {
  const { touchOnce } = await import('../../islands/runtime/hydration/plain-step.ts');
  touchOnce(island, step as never);
  touchOnce(island, step as never);
}

it('plan step: stores the tapped plan, also of the plans after the offer, and nothing else', async () => {
  const { planStep } = await import('../../islands/checkout/plan-step.ts');
  const { island, fire } = islandWith({ plans: [intro], plansAfterOffer: [quarterly] });
  await touchTwice(island, planStep);
  fire('change', { value: quarterly.id });
  expect(stored('plans')).toMatchObject({ plan: quarterly.id, planDetails: quarterly });
  fire('change', { value: 'unknown' });
  expect(stored('plans').plan).toBe(quarterly.id);
});

it('questions step: stores answers, and the tap that answers the last one goes on once', async () => {
  const { questionsStep } = await import('../../islands/questions/questions-step.ts');
  const { island, fire } = islandWith({}, [{ name: 'who', value: 'child' }]);
  await touchTwice(island, questionsStep);
  expect(stored('answers')).toMatchObject({ child: true });
  fire('keydown');
  fire('change', { name: 'matters', value: 'meeting' });
  fire('change', { name: 'name', value: ' Mia ' });
  await vi.runAllTimersAsync();
  expect(navigate).not.toHaveBeenCalled();
  fire('pointerdown');
  fire('change', { name: 'matters', value: 'outing' });
  await vi.runAllTimersAsync();
  expect(stored('answers')).toMatchObject({ child: true, outing: true, meeting: false });
  expect(stored('map')).toMatchObject({ name: 'Mia' });
  expect(navigate).toHaveBeenCalledOnce();
});

const form = (phone: string) =>
  Object.entries({ phone, country: 'DE' }) as unknown as HTMLFormElement;

it('phone step: a number is stored as typed, looked up, and the next screen follows', async () => {
  const { phoneStep } = await import('../../islands/phone/phone-step.ts');
  const answer = await phoneStep.answer?.(form(' 030 1234567 '), {} as never);
  expect(navigate).not.toHaveBeenCalled();
  await answer?.();
  expect(stored('map')).toMatchObject({ phone: '030 1234567', country: 'DE', byLink: false });
  expect([lookUp, navigate].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it.each(['', '123', 'call me', '12+34567'])(
  'phone step: %j is left to React, and not stored',
  async (typed) => {
    const { phoneStep } = await import('../../islands/phone/phone-step.ts');
    expect(phoneStep.answer?.(form(typed), {} as never)).toBeNull();
    expect(local.size).toBe(0);
  },
);
