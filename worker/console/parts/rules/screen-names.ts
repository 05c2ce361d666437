import type { ScreenId } from '../../../experiments/rules/flows.ts';

const names: Record<ScreenId, string> = {
  one_pager: 'Landing page',
  one_pager_all: 'Landing page, any phone',
  one_pager_ai: 'Landing page, place alerts',
  one_pager_l1: 'Landing page, short',
  one_pager_l2: 'Landing page, long',
  questions: 'Questions',
  searching: 'Number check',
  searching_2: 'Number check, with ring',
  searching_ai: 'Number check, place alerts',
  signup: 'Sign-up',
  signup_testim: 'Sign-up, with reviews',
  features: 'Features',
  checkout_v3_tr: 'Checkout, plans in a column',
  checkout_h3_pp: 'Checkout, plans in a row',
  checkout_v3_pp: 'Checkout, plans in a column, wallets first',
  checkout_h3_pp_braintree: 'Checkout, plans in a row, Braintree',
  paycheck1_pr5_h_win: 'Paywall, one benefit',
  paycheck1_pr5_h_ai: 'Paywall, place alerts',
  paycheck_combo_3d: 'Paywall, three-day intro',
  upsell_an_private: 'Extra: anonymous mode',
  upsell_guide: 'Extra: guide',
  success: 'Success',
  payment_declined: 'Payment declined',
  'auto-signup': 'Test sign-up',
  'checkout-test': 'Test checkout',
};

/** A screen's name for people; its id if it is unknown. */
export const screenName = (id: string): string =>
  Object.hasOwn(names, id) ? names[id as ScreenId] : id;
