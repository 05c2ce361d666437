import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { World } from './bindings.ts';
import type { Visitor } from './visitor.ts';

type Link = { data: { short_deeplink: string } };

const codeIn = (text: string) => /#([\w-]{22})/.exec(text)?.[1] ?? '';

/** The code of the newest mail to an address. */
async function mailed(visitor: Visitor, world: World, email: string): Promise<string> {
  await world.deliver();
  return visitor.learn('mail code', codeIn(world.vendors.mail.inbox(email).at(-1)?.text ?? ''));
}

/** The ways into the app and back to the site: by link, by hand, by mail. */
export async function openDoors(visitor: Visitor, world: World, email: string): Promise<void> {
  await visitor.get('/users/me/payments-settings');
  const first = await visitor.get<Link>('/users/me/deeplink-qr-code');
  visitor.learn('app code', codeIn(first.data.short_deeplink));
  const second = await visitor.post<Link>('/users/me/deeplink');
  const code = visitor.learn('app code', codeIn(second.data.short_deeplink));
  await visitor.post('/deeplink/check', { code });
  const inApp = await visitor.post<{ data: { access_token: string } }>('/deeplink/redeem', {
    code,
  });
  visitor.learn('access token', inApp.data.access_token);
  await visitor.post('/deeplink/redeem', { code });
  const hand = await visitor.get<{ data: { code: string } }>('/users/me/manual-code');
  const byHand = visitor.learn('hand code', hand.data.code, hand.data.code.replace('-', ''));
  await visitor.post('/deeplink/redeem', { code: 'ACDE-3467', email });
  await visitor.post('/deeplink/redeem', { code: byHand, email });
  const here = await visitor.post<{ data: { link: string } }>('/users/me/other-browser-link');
  visitor.learn('hand-over code', codeIn(here.data.link));
  await visitor.post('/sign-in-link', { email });
  const back = await mailed(visitor, world, email);
  await visitor.post('/sign-in-link/check', { code: back });
  const opened = await visitor.post<{ data: SignedUp }>('/sign-in-link/open', { code: back });
  visitor.bear(visitor.learn('access token', opened.data.access_token));
  visitor.learn('app code', opened.data.deeplink_token);
  await visitor.post('/sign-in-link', { code: back, for: 'manage' });
  await mailed(visitor, world, email);
  await visitor.post('/users/me/deeplink/email');
  await visitor.post('/deeplink/email', { code: await mailed(visitor, world, email) });
}
