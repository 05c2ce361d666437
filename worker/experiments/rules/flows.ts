export const screenIds = [
  'one_pager',
  'one_pager_all',
  'one_pager_ai',
  'one_pager_l1',
  'one_pager_l2',
  'questions',
  'searching',
  'searching_2',
  'searching_ai',
  'signup',
  'signup_testim',
  'features',
  'checkout_v3_tr',
  'checkout_h3_pp',
  'checkout_v3_pp',
  'checkout_h3_pp_braintree',
  'paycheck1_pr5_h_win',
  'paycheck1_pr5_h_ai',
  'paycheck_combo_3d',
  'upsell_an_private',
  'upsell_guide',
  'success',
  'payment_declined',
] as const;

const testScreenIds = ['auto-signup', 'checkout-test'] as const;

type TestScreenId = (typeof testScreenIds)[number];
export type ScreenId = (typeof screenIds)[number] | TestScreenId;

export type Flow = readonly ScreenId[];

const lp11ch8: Flow = [
  'one_pager',
  'searching',
  'signup',
  'checkout_h3_pp',
  'upsell_an_private',
  'success',
];

const defaultFlow: Flow = [
  'one_pager',
  'searching',
  'signup',
  'checkout_v3_tr',
  'upsell_an_private',
  'success',
];

/** The flows that exist without any configuration: six of the specification, section 2, and `ask`. */
export const builtInFlows: { readonly default: Flow; readonly [name: string]: Flow } = {
  default: defaultFlow,
  lp1ch2: defaultFlow,
  lp11ch8,
  lp11ch8_vc: lp11ch8.with(3, 'checkout_v3_pp'),
  lp11ch8b: lp11ch8.with(3, 'checkout_h3_pp_braintree'),
  lp17ch17pr5: [
    'one_pager_all',
    'searching_2',
    'signup_testim',
    'paycheck1_pr5_h_win',
    'upsell_an_private',
    'success',
  ],
  ask: [
    'questions',
    'one_pager',
    'searching',
    'signup_testim',
    'checkout_v3_tr',
    'upsell_an_private',
    'success',
  ],
};

/** The flow for payment tests: it creates an account and offers every plan. */
export const testFlows = {
  stripe_test: ['auto-signup', 'checkout-test', 'success'],
} as const satisfies Readonly<Record<string, Flow>>;

const testIds: ReadonlySet<string> = new Set(testScreenIds);
const allIds: ReadonlySet<string> = new Set([...screenIds, ...testScreenIds]);

export function isTestScreen(screen: string): screen is TestScreenId {
  return testIds.has(screen);
}

export function isScreenId(segment: string): segment is ScreenId {
  return allIds.has(segment);
}

/** The document's flows; they replace built-in flows of the same name. Outside production there are test flows too. */
export function allFlows(
  { flows }: { flows: Readonly<Record<string, Flow>> },
  production = false,
): Map<string, Flow> {
  const tests = production ? {} : testFlows;
  return new Map<string, Flow>(Object.entries({ ...builtInFlows, ...tests, ...flows }));
}

/** The screen of the flow that one outside it replaces. */
function replacedBy(flow: Flow, screen: ScreenId): number {
  if (isLanding(screen)) return flow.findIndex(isLanding);
  return showsLookUp(screen) ? flow.findLastIndex((id) => stepOf(id) === 'number') : -1;
}

/** Null at the end. From outside the flow: its first screen, but a landing or a look-up replaces the flow's own. */
export function nextScreen(flow: Flow, current: ScreenId): ScreenId | null {
  const at = flow.indexOf(current);
  return flow[(at === -1 ? replacedBy(flow, current) : at) + 1] ?? null;
}

export function isLanding(screen: string): boolean {
  return screen.startsWith('one_pager');
}

export function showsLookUp(screen: string): boolean {
  return screen.startsWith('searching');
}

/** A screen that takes payment is always a new document with the payment policy. */
export function takesPayment(screen: ScreenId): boolean {
  return /^(checkout|paycheck|upsell)/.test(screen);
}

export function isCheckout(screen: ScreenId): boolean {
  return /^(checkout|paycheck)/.test(screen);
}

const steps = [
  ['number', /^(one_pager|questions|searching)/],
  ['account', /^(auto-signup|signup|features)/],
  ['plan', /^(checkout|paycheck|upsell|payment_declined)/],
  ['invite', /^success/],
] as const;

type Step = (typeof steps)[number][0];

const stepOf = (screen: string): Step | undefined =>
  steps.find(([, screens]) => screens.test(screen))?.[0];

export interface FlowProgress {
  steps: readonly Step[];
  at: number;
  /** Whether an earlier screen of the flow belongs to the same step. */
  further: boolean;
}

/** Null for a page that is not a step of a flow. */
export function progressOf(flow: readonly string[], screen: string): FlowProgress | null {
  const step = stepOf(screen);
  const found = [...new Set(flow.flatMap((id) => stepOf(id) ?? []))];
  if (!step || !found.includes(step)) return null;
  const first = flow.findIndex((id) => stepOf(id) === step);
  const further = showsLookUp(screen) || flow.lastIndexOf(screen) > first;
  return { steps: found, at: found.indexOf(step), further };
}
