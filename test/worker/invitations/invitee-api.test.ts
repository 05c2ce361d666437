import { expect, test } from 'vitest';
import { browserCookies } from '../accounts/browser.ts';
import { post, refusalOf, statusAndCode } from '../request.ts';
import { here } from './invitation-fixture.ts';
import { freshNumber, postInvitation, requester } from './sms/sms-fixture.ts';

async function newInvitation(more: Record<string, string> = {}) {
  const { headers } = await requester();
  const phone = freshNumber();
  const response = await postInvitation({ ...headers, ...more }, { via: 'link', phone });
  const { link } = (await response.json()) as { link: string };
  return { code: link.split('#')[1] ?? '', headers, phone };
}

const call = async (call: string, body: object) =>
  ((await (await post(`/invitations/${call}`, body)).json()) as { data: unknown }).data;

test('invitee API: open, accept, stop, block', async () => {
  const { code } = await newInvitation();
  const invitation = { name: 'Ana', duration: 'day', country: 'DE', blocked: null };
  expect((await post('/invitations/open', { code })).headers.get('cache-control')).toBe('no-store');
  expect(await call('open', { code })).toMatchObject({
    state: 'pending',
    ...invitation,
    shared: null,
  });
  const { latitude, longitude, accuracy } = here;
  const yes = { code, position: { latitude, longitude, accuracy } };
  const place = { latitude: 52.52, longitude: 13.405, accuracy: 100 };
  expect(await call('accept', yes)).toMatchObject({ state: 'shared', shared: place });
  expect(await call('stop', { code })).toMatchObject({ state: 'over', shared: null, name: '' });
  expect(await call('block', { code, report: false })).toMatchObject({ blocked: 'requester' });
});

test('invitee API: a declined invitation cannot be accepted', async () => {
  const { code } = await newInvitation();
  await call('open', { code });
  expect(await call('decline', { code })).toMatchObject({ state: 'over' });
  const late = await post('/invitations/accept', { code, position: here });
  expect(await statusAndCode(late)).toEqual([410, 'invitation_ended']);
});

test('invitee API: the link alone blocks only its requester', async () => {
  const { code, phone } = await newInvitation();
  const all = { code, report: false, everyone: true };
  expect(await call('block', all)).toMatchObject({ state: 'over', blocked: 'requester' });
  const { headers } = await requester();
  expect((await postInvitation(headers, { phone, via: 'link' })).status).toBe(200);
});

test("invitee API: the requester's browser is refused everywhere", async () => {
  const { cookie } = browserCookies();
  const { code } = await newInvitation({ cookie });
  for (const [call, body] of [
    ['open', { code }],
    ['accept', { code, position: here }],
    ['decline', { code }],
    ['block', { code, report: true }],
    ['opt-out-code', { code, phone: '+4915123456789' }],
    ['opt-out', { code, digits: '123456' }],
  ] as const) {
    const refused = await refusalOf(await post(`/invitations/${call}`, body, { cookie }));
    expect(refused.slice(0, 2)).toEqual([403, 'own_invitation']);
  }
  expect(await call('open', { code })).toMatchObject({ state: 'pending' });
});

const [requesterCookies, inviteeCookies] = [browserCookies(), browserCookies()];

const named = (cookies: { uuid: string }) => `userUuid=${cookies.uuid}`;

/** Whose id each browser names, with or without the key that proves it. */
test.each([
  ['a key', 'the same key', requesterCookies.cookie, requesterCookies.cookie, 403],
  ['a key', 'the requester’s id alone', requesterCookies.cookie, named(requesterCookies), 200],
  ['a key', 'another key', requesterCookies.cookie, inviteeCookies.cookie, 200],
  ['the invitee’s id alone', 'its key', named(inviteeCookies), inviteeCookies.cookie, 200],
  ['the invitee’s id alone', 'no key', named(inviteeCookies), named(inviteeCookies), 200],
  ['no id', 'no id', '', '', 200],
])(
  'invitee API: sent by a browser with %s, a browser with %s answers',
  async (_sender, _invitee, sender, cookie, status) => {
    const { code } = await newInvitation({ cookie: sender });
    expect((await post('/invitations/open', { code }, { cookie })).status).toBe(status);
  },
);

test.each(['open', 'accept', 'decline', 'block', 'stop', 'opt-out-code', 'opt-out'])(
  'invitee API: %s sets no cookie, because invitees are not tracked',
  async (call) => {
    const { code } = await newInvitation();
    const body = { code, position: here, report: false, phone: '+4915123456789', digits: '123456' };
    expect((await post(`/invitations/${call}`, body)).headers.getSetCookie()).toEqual([]);
  },
);

test.each([
  ['open', { code: 'A'.repeat(22) }, 404],
  ['open', { code: 'short' }, 404],
  ['open', {}, 404],
  ['accept', { code: 'A'.repeat(22), position: { latitude: 91, longitude: 0, accuracy: 1 } }, 400],
  ['accept', { code: 'A'.repeat(22), position: { latitude: 0, longitude: 0 } }, 400],
  ['block', { code: 'A'.repeat(22) }, 400],
  ['opt-out-code', { code: 'A'.repeat(22) }, 422],
  ['opt-out', { code: 'A'.repeat(22) }, 422],
  ['opt-out', { code: 'A'.repeat(22), digits: '123456' }, 404],
])('invitee API: %s with %j is refused with %i', async (call, body, status) => {
  expect((await post(`/invitations/${call}`, body)).status).toBe(status);
});
