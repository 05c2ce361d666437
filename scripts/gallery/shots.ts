import { type ScreenId, screenIds } from '../../worker/experiments/rules/flows.ts';

export interface Shot {
  name: string;
  path: string;
  stage: Stage;
  /** English text that appears when the page is ready. */
  sees?: string;
  /** Selector of the element to click first. */
  press?: string;
  /** Pattern of the request that never gets a response, which keeps the page in its first state. */
  pending?: string;
}

const stages: readonly [start: RegExp, stage: Stage][] = [
  [/^(one_pager|features)/, 'fresh'],
  [/^(questions|searching|signup)/, 'number'],
  [/^(checkout|paycheck|payment_declined)/, 'account'],
  [/^(upsell|success)/, 'paid'],
];

function shotOf(screen: ScreenId | string): Shot {
  const stage = stages.find(([start]) => start.test(screen))?.[1] ?? 'fresh';
  const sees = screen.startsWith('searching')
    ? 'Number checked'
    : screen === 'success'
      ? 'Send from my phone'
      : undefined;
  return { name: screen, path: `/${screen}`, stage, sees };
}

const lookup = '**/phone-number-info';

const more: readonly Shot[] = [
  { name: 'searching-start', path: '/searching', stage: 'number', pending: lookup },
  { name: 'searching_2-start', path: '/searching_2', stage: 'number', pending: lookup },
  { name: 'searching-without-number', path: '/searching', stage: 'fresh' },
  { name: 'signup-without-number', path: '/signup', stage: 'fresh' },
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
  { name: 'manage', path: '/manage', stage: 'paid', sees: 'Next charge' },
  {
    name: 'manage-inviting',
    path: '/manage',
    stage: 'paid',
    sees: 'Send from my phone',
    press: '#invite',
  },
  { name: 'card', path: '/manage/card', stage: 'paid', sees: 'Card details go straight' },
  {
    name: 'receipt',
    path: '/manage',
    stage: 'paid',
    sees: 'Payment reference',
    press: 'a[href*="/manage/receipt"]',
  },
  { name: 'receipt-missing', path: '/manage/receipt', stage: 'paid', sees: 'another email' },
  { name: 'cancel', path: '/cancel', stage: 'paid' },
  { name: 'manage-signed-out', path: '/manage', stage: 'fresh' },
  { name: 'guide', path: '/guide', stage: 'guide', sees: 'In this guide' },
  { name: 'guide-signed-out', path: '/guide', stage: 'fresh' },
  { name: 'open-app', path: '/d', stage: 'fresh' },
  { name: 'mailed-link', path: '/m', stage: 'fresh' },
  { name: 'invited', path: '/i', stage: 'fresh' },
  { name: 'support', path: '/support', stage: 'fresh' },
  { name: 'checkout-test', path: '/checkout-test', stage: 'account' },
];

/** All pictures, or the named ones; an unknown name is used as a path. */
export function shotsOf(names: readonly string[]): Shot[] {
  const all = [...screenIds.map(shotOf), ...more];
  if (names.length === 0) return all;
  return names.map((name) => all.find((shot) => shot.name === name) ?? shotOf(name));
}

export type Stage = 'fresh' | 'number' | 'account' | 'paid' | 'guide';

export interface StoredState {
  local: Record<string, string>;
  session: Record<string, string>;
}

const phone = '+1 212 555 0100';
const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
const slice = (fields: object) => JSON.stringify({ at: Date.now(), ...fields });

interface Answer {
  data: { access_token?: string; deeplink_token?: string; entity?: { external_user_id: string } };
}

async function post(url: string, body: object, token = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** Signs up and buys plans through the API; returns the browser's session storage and the account. */
async function accountWith(api: string, email: string, plans: readonly string[]) {
  const account = { registration_source: 'email', email, name: email, user_uuid: uuid };
  const { data } = await post(`${api}/signup`, { ...account, landing_type: 'gallery' });
  const token = data.access_token ?? '';
  const order = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa', user_data: { uuid } };
  for (const plan of plans) await post(`${api}/users/me/subscriptions/${plan}`, order, token);
  const session = { access_token: token, deeplinkToken: data.deeplink_token ?? '' };
  return { session, userId: data.entity?.external_user_id ?? '' };
}

/** The browser storage of each stage, after creating two accounts; the second has the guide. */
export async function prepareStages(origin: string): Promise<Record<Stage, StoredState>> {
  const api = `${origin}/api/v1`;
  const [email, reader] = ['anna@example.com', 'maria@example.com'];
  const anna = await accountWith(api, email, ['monthly_usd']);
  const maria = await accountWith(api, reader, ['monthly_usd', 'guide_1799_usd']);
  const number = { 'funnel:1:map': slice({ phone, country: 'US' }) };
  const known = (of: string, userId: string) => {
    const names = { email: of, name: of, userId, uuid };
    return {
      ...number,
      'funnel:1:signup': slice({ ...names, emailValidity: true, isSuccess: true }),
    };
  };
  const account = { local: known(email, anna.userId), session: anna.session };
  const checkout = slice({ isSuccess: true, id: 'sub_gallery', showSuccessPopup: false });
  const bought = { 'funnel:1:checkout': checkout };
  return {
    fresh: { local: {}, session: {} },
    number: { local: number, session: {} },
    account,
    paid: { ...account, local: { ...account.local, ...bought } },
    guide: { local: { ...known(reader, maria.userId), ...bought }, session: maria.session },
  };
}
