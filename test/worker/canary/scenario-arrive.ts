import { env } from 'cloudflare:test';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import { claims } from '../accounts/google-keys.ts';
import { address, e164, name, phone } from './test-identities.ts';
import type { TracedSite } from './traced-site.ts';
import { codeIn, type Visitor } from './visitor.ts';

const ad = '?fbclid=F1_click&gclid=G1_click&ttclid=T1_click&utm_source=mail&appDomain=app.example';
/** Personal data that some ads and e-mails put into a URL. */
const personal = `&utm_content=${encodeURIComponent(address)}&utm_term=${encodeURIComponent(e164)}&email=${address}&phone=${e164.slice(1)}`;

async function signIn(
  visitor: Visitor,
  site: TracedSite,
  { data }: { data: SignedUp },
): Promise<void> {
  visitor.setToken(visitor.recordSecret('access token', data.access_token));
  visitor.recordSecret('app code', data.deeplink_token);
  await site.adopt('purchases', env.PURCHASES.getByName(visitor.account()));
}

/** Opens screens with a URL that contains personal data, and follows the redirect. */
export async function walk(visitor: Visitor, screens: readonly string[]): Promise<Response[]> {
  const referer = `http://localhost/${ad}${personal}`;
  const pages: Response[] = [];
  for (const screen of screens) {
    const response = await visitor.send(`/${screen}${ad}${personal}`, { headers: { referer } });
    const location = response.headers.get('location');
    pages.push(location ? await visitor.send(location, { headers: { referer } }) : response);
  }
  return pages;
}

/** From the landing page to the sign-up, with and without JavaScript. */
export async function landAndEnterPhone(visitor: Visitor, site: TracedSite): Promise<void> {
  await visitor.send(`/${ad}${personal}`);
  await visitor.post('/consent', { choice: 'yes' });
  await walk(visitor, ['one_pager', 'searching', 'signup']);
  await visitor.get('/cf-country');
  for (const written of phone.written)
    await visitor.post('/phone-number-info', { phone: written, country: 'DE' });
  await visitor.get('/geocode?city=Berlin&country=DE');
  const referer = `http://localhost/one_pager${ad}${personal}`;
  await visitor.form('/language', { language: 'fr' }, { referer });
  await visitor.form('/one_pager', { phone: e164, country: 'DE' }, { referer });
  await visitor.form('/searching', {}, { referer });
  const response = await visitor.form('/signup', { email: `form.${address}` }, { referer });
  const [, carry = ''] = /carry=([^;]+)/.exec(response.headers.getSetCookie().join()) ?? [];
  const { signup } = JSON.parse(decodeURIComponent(carry));
  await signIn(visitor, site, {
    data: { ...signup, access_token: signup.token, deeplink_token: signup.deeplinkToken },
  });
}

/** The browser's events of the visit, including forbidden data. */
export async function sendEvents(visitor: Visitor): Promise<void> {
  const properties = { screen_name: 'signup', target: address, plan: e164, utm_content: address };
  const names = ['session_start', 'signup__load', 'click', 'lead', 'subs_purchase_completed'];
  const events = names.map((event) => ({
    id: crypto.randomUUID(),
    name: event,
    at: Date.now(),
    session: 'a-visit',
    properties: { ...properties, sub_id: e164.slice(1), event_id: e164.slice(1) },
  }));
  await visitor.post('/events', {
    events: [...events, { ...events[0], id: crypto.randomUUID(), name: 'chunk_failed' }],
    sent: Date.now(),
    google_client_id: '1234567890.1700000000',
    user_data: { fbc: 'fb.1.1700000000000.F1_click', fbp: address, ttp: e164.slice(1) },
  });
}

const landing_type = 'split_fullPrice';
const other = { landing_type: 'split_intro_7d' };

/** Signs up by e-mail. */
export async function signUp(visitor: Visitor, site: TracedSite, email: string): Promise<void> {
  const who = { registration_source: 'email', email, name: name.written[0] };
  const body = { ...who, user_uuid: visitor.uuid(), landing_type };
  await signIn(visitor, site, await visitor.post('/signup', body));
}

/** Signs up with Google, in the other arm. */
export async function signUpByGoogle(
  visitor: Visitor,
  site: TracedSite,
  email: string,
): Promise<void> {
  // Google hosts the mailbox, so nobody has to confirm it.
  const hd = email.split('@')[1];
  const token = await site.sign({ ...claims, email, hd, name: name.written[0] });
  visitor.recordSecret('google user', claims.sub);
  const access_token = visitor.recordSecret('google credential', token);
  const body = { access_token, driver: 'google', user_uuid: visitor.uuid(), ...other };
  await signIn(visitor, site, await visitor.post('/authorize_social_via_access_token', body));
}

type Link = { data: { short_deeplink: string } };

/** The code of the newest e-mail to an address. */
async function emailedCode(visitor: Visitor, site: TracedSite, email: string): Promise<string> {
  await site.deliver();
  return visitor.recordSecret(
    'mail code',
    codeIn(site.vendors.mail.inbox(email).at(-1)?.text ?? ''),
  );
}

/** All ways into the app and back to the site: by link, by typed code, by e-mail. */
export async function openAppAndReturn(
  visitor: Visitor,
  site: TracedSite,
  email: string,
): Promise<void> {
  await visitor.get('/users/me/payments-settings');
  const first = await visitor.get<Link>('/users/me/deeplink-qr-code');
  visitor.recordSecret('app code', codeIn(first.data.short_deeplink));
  const second = await visitor.post<Link>('/users/me/deeplink');
  const code = visitor.recordSecret('app code', codeIn(second.data.short_deeplink));
  await visitor.post('/deeplink/check', { code });
  const inApp = await visitor.post<{ data: { access_token: string } }>('/deeplink/redeem', {
    code,
  });
  visitor.recordSecret('access token', inApp.data.access_token);
  await visitor.post('/deeplink/redeem', { code });
  const hand = await visitor.get<{ data: { code: string } }>('/users/me/manual-code');
  const byHand = visitor.recordSecret('hand code', hand.data.code, hand.data.code.replace('-', ''));
  await visitor.post('/deeplink/redeem', { code: 'ACDE-3467', email });
  await visitor.post('/deeplink/redeem', { code: byHand, email });
  const here = await visitor.post<{ data: { link: string } }>('/users/me/other-browser-link');
  visitor.recordSecret('hand-over code', codeIn(here.data.link));
  await visitor.post('/sign-in-link', { email });
  const back = await emailedCode(visitor, site, email);
  await visitor.post('/sign-in-link/check', { code: back });
  const opened = await visitor.post<{ data: SignedUp }>('/sign-in-link/open', { code: back });
  visitor.setToken(visitor.recordSecret('access token', opened.data.access_token));
  visitor.recordSecret('app code', opened.data.deeplink_token);
  await visitor.post('/sign-in-link', { code: back, for: 'manage' });
  await emailedCode(visitor, site, email);
  await visitor.post('/users/me/deeplink/email');
  await visitor.post('/deeplink/email', { code: await emailedCode(visitor, site, email) });
}
