/** Every screen of the product; the spelling is the specification's. */
export const screenIds = [
  'one_pager',
  'one_pager_all',
  'one_pager_ai',
  'one_pager_l1',
  'one_pager_l2',
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

/** Screens that exist outside production only. */
const testScreenIds = ['auto-signup', 'checkout-test'] as const;

type TestScreenId = (typeof testScreenIds)[number];
export type ScreenId = (typeof screenIds)[number] | TestScreenId;

/** The order in which a visitor sees screens. */
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

/** The flows that exist without any configuration (specification, section 2). */
export const builtInFlows: Readonly<Record<string, Flow>> = {
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
};

/** The flow of a payment test: an account of its own making, every plan, the end. */
export const testFlows = {
  stripe_test: ['auto-signup', 'checkout-test', 'success'],
} as const satisfies Readonly<Record<string, Flow>>;

const tests: ReadonlySet<string> = new Set(testScreenIds);
const known: ReadonlySet<string> = new Set([...screenIds, ...testScreenIds]);

/** Whether a screen is for tests, and so does not exist in production. */
export function isTestScreen(screen: string): screen is TestScreenId {
  return tests.has(screen);
}

/** Whether a path segment names a screen. */
export function isScreenId(segment: string): segment is ScreenId {
  return known.has(segment);
}

/**
 * The screen after `current` in the flow.
 *
 * @returns null after the last one. From a screen that is not in the flow: its first one, but from one
 *   that takes payment the end, where what was bought is handed over
 */
export function nextScreen(flow: Flow, current: ScreenId): ScreenId | null {
  const at = flow.indexOf(current);
  if (at === -1 && takesPayment(current)) return 'success';
  return flow[at + 1] ?? null;
}

/** Whether visits begin on a screen, in whatever flow: ads lead to it. */
export function isLanding(screen: string): boolean {
  return screen.startsWith('one_pager');
}

/** Whether a screen takes payment, and so is served as a document of its own. */
export function takesPayment(screen: ScreenId): boolean {
  return /^(checkout|paycheck|upsell)/.test(screen);
}

/** Whether a screen sells the main plan. */
export function isCheckout(screen: ScreenId): boolean {
  return /^(checkout|paycheck)/.test(screen);
}
