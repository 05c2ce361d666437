/** How far a visitor has come when a picture is taken. */
export type Stage = 'fresh' | 'number' | 'account' | 'paid';

/** What a page finds in storage: slices of state in local storage, the rest in the session's. */
export interface Belongings {
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
 * Makes an account and buys its plan, both by the product's API.
 *
 * @param origin of the running funnel
 * @returns what a visitor of each stage carries
 */
export async function prepare(origin: string): Promise<Record<Stage, Belongings>> {
  const api = `${origin}/api/v1`;
  const email = 'anna@example.com';
  const account = { registration_source: 'email', email, name: email, user_uuid: uuid };
  const { data } = await post(`${api}/signup`, { ...account, landing_type: 'gallery' });
  const token = data.access_token ?? '';
  const order = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa', user_data: { uuid } };
  await post(`${api}/users/me/subscriptions/monthly_usd`, order, token);
  const map = slice({ phone, country: 'US' });
  const signup = slice({ email, name: email, emailValidity: true, isSuccess: true, uuid });
  const session = { access_token: token, deeplinkToken: data.deeplink_token ?? '' };
  const number = { 'funnel:1:map': map };
  const known = { ...number, 'funnel:1:signup': signup };
  const checkout = slice({ isSuccess: true, id: 'sub_gallery', showSuccessPopup: false });
  return {
    fresh: { local: {}, session: {} },
    number: { local: number, session: {} },
    account: { local: known, session },
    paid: { local: { ...known, 'funnel:1:checkout': checkout }, session },
  };
}
