import { type ScreenId, screenIds } from '../../worker/experiments/rules/flows.ts';
import type { Stage } from './visitor-states.ts';

/** One picture: where it is taken, by whom, and what was done before. */
export interface Shot {
  name: string;
  path: string;
  stage: Stage;
  /** What the heading of a part of the page says, in English, when it is ready. */
  sees?: string;
  /** What is pressed first, by selector. */
  press?: string;
}

const stages: readonly [start: RegExp, stage: Stage][] = [
  [/^(one_pager|features)/, 'fresh'],
  [/^(searching|signup)/, 'number'],
  [/^(checkout|paycheck|payment_declined)/, 'account'],
  [/^(upsell|success)/, 'paid'],
];

/** A screen as its visitor meets it. */
function shotOf(screen: ScreenId | string): Shot {
  const stage = stages.find(([start]) => start.test(screen))?.[1] ?? 'fresh';
  const sees = screen.startsWith('searching') ? 'Number checked' : undefined;
  return { name: screen, path: `/${screen}`, stage, sees };
}

const more: readonly Shot[] = [
  { name: 'searching-start', path: '/searching', stage: 'number' },
  { name: 'searching_2-start', path: '/searching_2', stage: 'number' },
  { name: 'checkout-without-account', path: '/checkout_v3_tr', stage: 'fresh' },
  { name: 'upsell-without-plan', path: '/upsell_an_private', stage: 'account' },
  { name: 'success-without-plan', path: '/success', stage: 'account' },
  {
    name: 'paycheck-open',
    path: '/paycheck1_pr5_h_win',
    stage: 'account',
    press: '#continue-button',
  },
  { name: 'fallback', path: '/nowhere', stage: 'fresh' },
  { name: 'manage', path: '/manage', stage: 'paid' },
  { name: 'cancel', path: '/cancel', stage: 'paid' },
  { name: 'manage-signed-out', path: '/manage', stage: 'fresh' },
  { name: 'guide', path: '/guide', stage: 'guide' },
  { name: 'guide-signed-out', path: '/guide', stage: 'fresh' },
  { name: 'open-app', path: '/d', stage: 'fresh' },
  { name: 'mailed-link', path: '/m', stage: 'fresh' },
  { name: 'invited', path: '/i', stage: 'fresh' },
  { name: 'support', path: '/support', stage: 'fresh' },
  { name: 'checkout-test', path: '/checkout-test', stage: 'account' },
];

/** Every picture there is, or those of the names given; another name is taken as a path. */
export function shotsOf(names: readonly string[]): Shot[] {
  const all = [...screenIds.map(shotOf), ...more];
  if (names.length === 0) return all;
  return names.map((name) => all.find((shot) => shot.name === name) ?? shotOf(name));
}
