import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { phoneHash } from '../../../../worker/invitations/invitation-index.ts';
import { signed } from '../../../fakes/sms/server.ts';
import { post, refusalOf, request, statusAndCode } from '../../request.ts';
import { here } from '../invitation-fixture.ts';
import { freshNumber, postInvitation, requester } from './sms-fixture.ts';

const url = 'http://localhost/webhooks/twilio';

/** A signed webhook of an incoming SMS. */
function incoming(
  From: string,
  Body: string,
  more: object = {},
  token = 'twilio_fake',
  bindings: Parameters<typeof request>[2] = {},
) {
  const fields = { AccountSid: 'AC_fake', MessageSid: 'SM1', From, Body, ...more };
  const body = `${new URLSearchParams(fields)}`;
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signed(url, fields, token),
  };
  return request('/webhooks/twilio', { method: 'POST', headers, body }, bindings);
}

const emptyReply = '<Response></Response>';

/** A number that nobody invited, whose numbering plan no other test reads. */
async function uninvitedNumber(start: string) {
  const number = freshNumber(start);
  return { number, inviteeKey: await phoneHash(env, number) };
}

async function inviteByLink() {
  const { headers } = await requester();
  const phone = freshNumber();
  const response = await postInvitation(headers, { phone, via: 'link' });
  const { link } = (await response.json()) as { link: string };
  return { headers, phone, code: link.split('#')[1] };
}

test('incoming SMS: STOP opts out of everything and is confirmed once, also when replayed', async () => {
  const { headers, phone, code } = await inviteByLink();
  const first = await incoming(phone, 'Stopp!');
  expect(first.headers.get('content-type')).toContain('text/xml');
  expect(await first.text()).toBe(
    '<Response><Message>Geozilla: Erledigt. Über uns kann niemand mehr nach deinem Standort fragen, und nichts wird geteilt.</Message></Response>',
  );
  for (const again of await Promise.all([1, 2, 3].map(() => incoming(phone, 'Stopp!'))))
    expect([again.status, await again.text()]).toEqual([200, emptyReply]);
  const late = await post('/invitations/accept', { code, position: here });
  expect(await statusAndCode(late)).toEqual([410, 'invitation_ended']);
  const refused = await refusalOf(await postInvitation((await requester()).headers, { phone }));
  expect(refused.slice(0, 2)).toEqual([409, 'number_unavailable']);
  expect(await (await postInvitation(headers, { phone, via: 'link' })).json()).toMatchObject({
    data: { state: 'sent' },
  });
});

test('incoming SMS: STOP counts while the numbering plan cannot be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { number, inviteeKey } = await uninvitedNumber('+8490');
  const ASSETS = { fetch: async () => new Response('', { status: 503 }) };
  expect((await incoming(number, 'STOP', {}, undefined, { ASSETS })).status).toBe(200);
  expect(await env.INVITATIONS.getByName(inviteeKey).optIn('another')).toBe(true);
});

test('incoming SMS: an opt-out that the vendor confirmed is not confirmed again', async () => {
  const { phone } = await inviteByLink();
  expect(await (await incoming(phone, 'RED', { OptOutType: 'STOP' })).text()).toBe(emptyReply);
  const { headers } = await requester();
  expect((await postInvitation(headers, { phone })).status).toBe(409);
  for (const OptOutType of ['HELP', 'START'])
    expect(await (await incoming(phone, 'BLUE', { OptOutType })).text()).toBe(emptyReply);
  expect((await postInvitation(headers, { phone })).status).toBe(200);
});

test('incoming SMS: START opts in once; a replay after another STOP changes nothing', async () => {
  const { phone } = await inviteByLink();
  const { headers } = await requester();
  const start = async (MessageSid: string) =>
    (await incoming(phone, 'Start', { MessageSid })).text();
  expect(await start('SM2')).toBe(emptyReply);
  await incoming(phone, 'Stopp!');
  expect(await start('SM3')).toMatch(/wieder nach deinem Standort fragen.*STOP/);
  expect(await start('SM4')).toBe(emptyReply);
  await incoming(phone, 'STOP', { MessageSid: 'SM5' });
  expect(await start('SM3')).toBe(emptyReply);
  expect((await postInvitation(headers, { phone })).status).toBe(409);
  expect(await start('SM6')).toContain('wieder nach deinem Standort fragen');
  expect((await postInvitation(headers, { phone })).status).toBe(200);
});

test('incoming SMS: HELP is answered and changes nothing', async () => {
  const { phone, code } = await inviteByLink();
  for (const word of ['HELP', 'Hilfe'])
    expect(await (await incoming(phone, word)).text()).toMatch(/<Message>Geozilla: .*STOP/);
  const page = await post('/invitations/open', { code });
  expect(await page.json()).toMatchObject({ data: { state: 'pending' } });
});

test('incoming SMS: any other text changes nothing and is not answered', async () => {
  const { phone, code } = await inviteByLink();
  expect(await (await incoming(phone, 'Who is this?')).text()).toBe(emptyReply);
  expect(await (await incoming('GEOZILLA', 'STOP')).text()).toBe(emptyReply);
  const page = await post('/invitations/open', { code });
  expect(await page.json()).toMatchObject({ data: { state: 'pending' } });
});

test('incoming SMS: an unsigned webhook is refused', async () => {
  const { phone, code } = await inviteByLink();
  const forged = await refusalOf(await incoming(phone, 'STOP', {}, 'another'));
  expect(forged.slice(0, 2)).toEqual([400, 'webhook_refused']);
  const page = await post('/invitations/open', { code });
  expect(await page.json()).toMatchObject({ data: { state: 'pending' } });
});
