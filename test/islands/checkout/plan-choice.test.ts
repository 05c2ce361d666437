import { expect, it, vi } from 'vitest';
import { selectedPlan, watchPlanChoice } from '../../../islands/checkout/plan-choice.ts';
import { $plans } from '../../../islands/stores/plans.ts';

interface Radio {
  name: string;
  value: string;
  checked?: boolean;
  defaultChecked?: boolean;
}

const plans = [
  { id: 'intro', period: 'month' },
  { id: 'quarter', period: 'quarter' },
  { id: 'month', period: 'month' },
] as never[];
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
  expect(selectedPlan(plans, before)).toMatchObject({ id });
});

it('plan choice: ignores the plans of an expired offer', () => {
  page([...offer, ...later], false);
  expect(selectedPlan(plans, 'intro')).toMatchObject({ id: 'intro' });
  page([...offer, ...later], true);
  // Its full price, whichever plan is preselected.
  const preselected = { checked: true, defaultChecked: true };
  page(
    [
      { name: 'after', value: 'month' },
      { name: 'after', value: 'quarter', ...preselected },
    ],
    true,
  );
  expect(selectedPlan(plans, 'intro')).toMatchObject({ id: 'month' });
  expect(selectedPlan(plans, '')).toMatchObject({ id: 'quarter' });
  page([...offer, ...later], true);
  expect(selectedPlan(plans, 'quarter')).toMatchObject({ id: 'quarter' });
});

it.each(['', 'intro'])('plan choice: details are set before a pick, with %j stored', (plan) => {
  page(offer, false);
  $plans.set({ ...$plans.get(), plan, planDetails: null });
  watchPlanChoice(plans);
  expect($plans.get()).toMatchObject({ plan: 'intro', planDetails: { id: 'intro' } });
});
