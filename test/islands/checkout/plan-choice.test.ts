import { afterEach, expect, it, vi } from 'vitest';
import { syncCardFormWithMethod } from '../../../islands/card-form.tsx';
import { selectedPlan, watchPlanChoice } from '../../../islands/checkout/plan-choice.ts';
import { $checkout } from '../../../islands/stores/checkout.ts';
import { $plans } from '../../../islands/stores/plans.ts';

afterEach(() => vi.unstubAllGlobals());

class Field {
  name = 'method';
  value = 'card';
}

/** A methodPage with, or without, the choice between card and wallet. */
function methodPage(method: Field | null) {
  const heard = new Set<(event: { target: unknown }) => void>();
  vi.stubGlobal('HTMLInputElement', Field);
  vi.stubGlobal('document', {
    querySelector: () => method,
    addEventListener: (_: string, hear: (event: { target: unknown }) => void) => heard.add(hear),
    removeEventListener: (_: string, hear: () => void) => heard.delete(hear),
  });
  const choose = (value: string) => {
    if (method) method.value = value;
    for (const hear of heard) hear({ target: method });
  };
  return { choose, heard };
}

it('card form: opens at once when there is no choice of method', () => {
  methodPage(null);
  syncCardFormWithMethod();
  expect($checkout.get().isCardFormShown).toBe(true);
});

it('card form: closes while a wallet is selected, until unsubscribed', () => {
  const { choose, heard } = methodPage(new Field());
  const end = syncCardFormWithMethod();
  choose('wallet');
  expect($checkout.get().isCardFormShown).toBe(false);
  choose('card');
  expect($checkout.get().isCardFormShown).toBe(true);
  end();
  expect(heard.size).toBe(0);
});

interface Radio {
  name: string;
  value: string;
  checked?: boolean;
  defaultChecked?: boolean;
}

const plans = [{ id: 'intro' }, { id: 'quarter' }, { id: 'month' }] as never[];
const first = { checked: true, defaultChecked: true };
const offer: Radio[] = [
  { name: 'plan', value: 'intro', ...first },
  { name: 'plan', value: 'quarter' },
];
const later: Radio[] = [
  { name: 'after', value: 'month', ...first },
  { name: 'after', value: 'quarter' },
];

function page(radios: Radio[], over: boolean) {
  vi.stubGlobal('document', {
    querySelector: () => (over ? {} : null),
    querySelectorAll: (wanted: string) => radios.filter(({ name }) => wanted.includes(`=${name}]`)),
    addEventListener() {},
  });
}

it.each([
  ['the page’s first', [...offer], '', 'intro'],
  ['the one chosen before', [...offer], 'quarter', 'quarter'],
  ['the page’s first, where the one before is not offered here', [...offer], 'month', 'intro'],
  [
    'the visitor’s tap',
    [
      { name: 'plan', value: 'intro', defaultChecked: true },
      { ...offer[1], checked: true } as Radio,
    ],
    'intro',
    'quarter',
  ],
])('plan choice: takes %s', (_, radios, before, id) => {
  page(radios, false);
  expect(selectedPlan(plans, before)).toEqual({ id });
});

it('plan choice: ignores the plans of an expired offer', () => {
  page([...offer, ...later], false);
  expect(selectedPlan(plans, 'intro')).toEqual({ id: 'intro' });
  page([...offer, ...later], true);
  expect(selectedPlan(plans, 'intro')).toEqual({ id: 'month' });
  expect(selectedPlan(plans, 'quarter')).toEqual({ id: 'quarter' });
});

it.each(['', 'intro'])('plan choice: details are set before a pick, with %j stored', (plan) => {
  page(offer, false);
  $plans.set({ ...$plans.get(), plan, planDetails: null });
  watchPlanChoice(plans);
  expect($plans.get()).toMatchObject({ plan: 'intro', planDetails: { id: 'intro' } });
});
