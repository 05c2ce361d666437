/** How far a visitor has come when a picture is taken. */
export type Stage = 'fresh' | 'number' | 'account' | 'paid' | 'guide';

/** What a page finds in storage: slices of state in local storage, the rest in the session's. */
export interface StoredState {
  local: Record<string, string>;
  session: Record<string, string>;
}

const phone = '+1 212 555 0100';
const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
const slice = (fields: object) => JSON.stringify({ at: Date.now(), ...fields });

interface Answer {
  data: Record<string, string>;
}

async function post(url: string, body: object, token = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/**
 * Makes an account, and buys plans for it, all by the product's API.
 *
 * @returns what the session of its browser holds
 */
async function accountWith(api: string, email: string, plans: readonly string[]) {
  const account = { registration_source: 'email', email, name: email, user_uuid: uuid };
  const { data } = await post(`${api}/signup`, { ...account, landing_type: 'gallery' });
  const token = data.access_token ?? '';
  const order = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa', user_data: { uuid } };
  for (const plan of plans) await post(`${api}/users/me/subscriptions/${plan}`, order, token);
  return { access_token: token, deeplinkToken: data.deeplink_token ?? '' };
}

/**
 * Makes two accounts, of which the second has the guide as well.
 *
 * @param origin of the running funnel
 * @returns what a visitor of each stage carries
 */
export async function prepare(origin: string): Promise<Record<Stage, StoredState>> {
  const api = `${origin}/api/v1`;
  const [email, reader] = ['anna@example.com', 'maria@example.com'];
  const session = await accountWith(api, email, ['monthly_usd']);
  const reading = await accountWith(api, reader, ['monthly_usd', 'guide_1799_usd']);
  const number = { 'funnel:1:map': slice({ phone, country: 'US' }) };
  const known = (of: string) => ({
    ...number,
    'funnel:1:signup': slice({ email: of, name: of, emailValidity: true, isSuccess: true, uuid }),
  });
  const checkout = slice({ isSuccess: true, id: 'sub_gallery', showSuccessPopup: false });
  const bought = { 'funnel:1:checkout': checkout };
  return {
    fresh: { local: {}, session: {} },
    number: { local: number, session: {} },
    account: { local: known(email), session },
    paid: { local: { ...known(email), ...bought }, session },
    guide: { local: { ...known(reader), ...bought }, session: reading },
  };
}
