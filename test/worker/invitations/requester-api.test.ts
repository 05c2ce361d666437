import { env } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import type { MessagePreview } from '../../../islands/invitations/requester-store.ts';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { insertInvitation } from '../../../worker/invitations/invitation-index.ts';
import type {
  InviteeView,
  RequesterView,
} from '../../../worker/invitations/rules/invitation-view.ts';
import type { InvitationId } from '../../../worker/platform/types.ts';
import { phoneKinds, textedCountries } from '../../phone-kinds.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { here, morning } from './invitation-fixture.ts';
import { storePlan } from './plan-fixture.ts';
import { freshNumber, postInvitation, requester } from './sms/sms-fixture.ts';

type Headers = Record<string, string>;

const list = async (headers: Headers) => {
  const response = await request('/api/v1/users/me/invitations', { headers });
  return ((await response.json()) as { data: RequesterView[] }).data;
};
const remove = (id: string, headers: Headers) =>
  request(`/api/v1/users/me/invitations/${id}`, { method: 'DELETE', headers });

async function inviteByLink(headers: Headers, body: object = {}) {
  const response = await postInvitation(headers, { via: 'link', ...body });
  const { data, link } = (await response.json()) as { data: RequesterView; link: string };
  return { id: data.id, link, code: link.split('#')[1] ?? '' };
}

test("requester API: the preview is in the invitee's language and sends nothing", async () => {
  const { headers } = await requester();
  const previewOf = async (number: object) => {
    const response = await post('/users/me/invitations/sms-preview', number, headers);
    return ((await response.json()) as { data: MessagePreview }).data;
  };
  const { messages, ...data } = await previewOf({ phone: '+49 1512 3456789' });
  expect(data).toMatchObject({ language: 'de', by_sms: true });
  expect(data.stop).toBe('Keine SMS mehr? Antworte STOP');
  expect(messages.hour).toMatch(
    /^Geozilla: \{\{name\}\} bittet dich um deinen Standort: einmalig, 1 Stunde sichtbar.*\/i#…$/,
  );
  // Until a number is known, it is in the language of the requester's country.
  expect(await previewOf({ phone: '' })).toMatchObject({ by_sms: false, sends_at: null });
  expect(await list(headers)).toEqual([]);
});

test('requester API: an invitation appears in the list with its state', async () => {
  const { headers } = await requester();
  const phone = freshNumber();
  const response = await postInvitation(headers, { phone });
  const { data } = (await response.json()) as { data: RequesterView };
  expect(data).toMatchObject({ via: 'sms', number_end: phone.slice(-2), position: null });
  expect(await list(headers)).toMatchObject([{ id: data.id }]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await list((await requester()).headers)).toEqual([]);
});

test("requester API: the link to the invitee's page has its code in the fragment", async () => {
  const { link, code } = await inviteByLink((await requester()).headers);
  expect(code).toMatch(/^[\w-]{22}$/);
  expect(link).toBe(`http://localhost/i#${code}`);
});

/** What happened to the first link, and what the second one's message and page say. */
const secondLinks: [string, ('open' | 'accept' | 'decline' | 'stop')[], 'asked' | 'agreed'][] = [
  ['waits', [], 'asked'],
  ['was opened', ['open'], 'asked'],
  ['was refused, which is hidden', ['open', 'decline'], 'asked'],
  ['was accepted and stopped, which is hidden', ['open', 'accept', 'stop'], 'asked'],
  ['was accepted', ['open', 'accept'], 'agreed'],
];

test.each(secondLinks)(
  'requester API: after a link that %s (%j), the page of a second one says what its message says: what was %s',
  async (_state, calls, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: morning });
    const { headers } = await requester();
    const phone = freshNumber();
    const ask = async (words: object) => {
      const response = await postInvitation(headers, { via: 'link', phone, ...words });
      const { link, sms } = (await response.json()) as { link: string; sms: string };
      return { code: link.split('#')[1] ?? '', message: decodeURIComponent(sms) };
    };
    const first = await ask({ name: 'Ana', duration: 'day' });
    const call = (path: string, code: string) =>
      post(`/invitations/${path}`, { code, ...(path === 'accept' && { position: here }) });
    for (const path of calls) expect((await call(path, first.code)).status).toBe(200);
    const second = await ask({ name: 'Mia', duration: 'hour' });
    const open = async (code: string) =>
      ((await (await call('open', code)).json()) as { data: InviteeView }).data;
    const asked = expected === 'asked';
    const words = asked ? { name: 'Mia', duration: 'hour' } : { name: 'Ana', duration: 'day' };
    expect(second.message).toMatch(asked ? /Mia.* 1 Stunde/ : /Ana.* 1 Tag/);
    expect(await open(second.code)).toMatchObject(words);
    expect(await open(first.code)).toMatchObject({ name: 'Ana', duration: 'day' });
  },
);

test('requester API: of two links the one that is accepted decides how long the place is shown, and who sees it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
  const { headers } = await requester();
  const phone = freshNumber();
  const first = await inviteByLink(headers, { phone, name: 'Ana', duration: 'day' });
  const second = await inviteByLink(headers, { phone, name: 'Mia', duration: 'hour' });
  await post('/invitations/open', { code: second.code });
  const response = await post('/invitations/accept', { code: second.code, position: here });
  const shared = { state: 'shared', name: 'Mia', duration: 'hour', until: morning + hour };
  expect(await response.json()).toMatchObject({ data: shared });
  const opened = await post('/invitations/open', { code: first.code });
  expect(await opened.json()).toMatchObject({ data: shared });
  expect(await list(headers)).toMatchObject([{ state: 'accepted', until: morning + hour }]);
});

test('requester API: two links in other words, asked for at the same time, have each its own', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: morning });
  const { headers } = await requester();
  const phone = freshNumber();
  const names = ['Ana', 'Mia', 'Ana'];
  const links = await Promise.all(names.map((name) => inviteByLink(headers, { phone, name })));
  for (const [index, { code }] of links.entries()) {
    const opened = await post('/invitations/open', { code });
    expect(await opened.json()).toMatchObject({ data: { name: names[index] } });
  }
});

test('requester API: only its requester can cancel an invitation', async () => {
  const [mine, other] = [await requester(), await requester()];
  const { id } = await inviteByLink(mine.headers);
  expect(await refusalOf(await remove(id, other.headers))).toContain('invitation_unknown');
  const response = await remove(id, mine.headers);
  expect(await response.json()).toMatchObject({ data: { id, state: 'not_shared' } });
});

test('requester API: an old invitation can be cancelled', async () => {
  const { headers, id: account } = await requester();
  const { id } = await inviteByLink(headers);
  const newer = Array.from({ length: 30 }, (_, index) =>
    insertInvitation(
      env.DB,
      { id: `${index}` as InvitationId, account, inviteeKey: 'nobody' },
      9e15 + index,
    ),
  );
  await Promise.all(newer);
  expect((await remove(id, headers)).status).toBe(200);
});

const hour = 60 * 60_000;
const week = 7 * 24 * hour;

test('requester API: declined, blocked, expired and stopped are answered with the same bytes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const requestedAt = Date.parse('2026-11-20T10:00:00Z');
  const ends: [string, object][][] = [
    [
      ['open', {}],
      ['decline', {}],
    ],
    [
      ['open', {}],
      ['block', { report: false }],
    ],
    [],
    [
      ['open', {}],
      ['accept', { position: here }],
      ['stop', {}],
    ],
  ];
  /** Responses to every call before and after the deadline. */
  const answers: string[] = [];
  for (const [index, calls] of ends.entries()) {
    vi.setSystemTime(requestedAt);
    const { headers } = await requester();
    const phone = `+4915123${index}00077`.slice(0, 14);
    const { id, code } = await inviteByLink(headers, { phone });
    for (const [call, body] of calls) {
      vi.setSystemTime(Date.now() + 1000 * (index + 1));
      expect((await post(`/invitations/${call}`, { code, ...body })).status).toBe(200);
    }
    const texted: string[] = [];
    for (const later of [week / 7, week - 1000, week, 9 * week]) {
      vi.setSystemTime(requestedAt + later);
      const token = await renewed(headers);
      const response = await request('/api/v1/users/me/invitations', { headers: token });
      const again = await postInvitation(token, { phone });
      const link = await postInvitation(token, { phone, via: 'link' });
      const money = await request('/api/v1/users/me/guarantee', { headers: token });
      const texts = await Promise.all([response, again, link, money].map((one) => one.text()));
      texted.push(
        ...texts.map((one) =>
          one
            .replaceAll(phone, 'phone')
            .replaceAll(id, 'id')
            .replace(/(#|%23)[\w-]{22}/g, '#code'),
        ),
      );
    }
    answers.push(texted.join('\n'));
  }
  const [first = '', ...others] = new Set(answers);
  expect(others).toEqual([]);
  const states = [...first.matchAll(/^\{"data":\[\{.*?"state":"(\w+)"/gm)].map(
    ([, state]) => state,
  );
  expect(states).toEqual(['sent', 'sent', 'not_shared', 'not_shared']);
});

test('requester API: cancelling and the guarantee reveal no refusal', async () => {
  const answers: string[] = [];
  for (const calls of [['open', 'decline'], ['open'], []]) {
    const { headers } = await requester();
    const { id, code } = await inviteByLink(headers);
    for (const call of calls) await post(`/invitations/${call}`, { code });
    const back = (await (await remove(id, headers)).json()) as { data: RequesterView };
    const { state, answer_by, requested_at } = back.data;
    const money = await request('/api/v1/users/me/guarantee', { headers });
    answers.push(JSON.stringify([state, answer_by - requested_at, await money.json()]));
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('not_shared');
});

/** A new token of the same account at the fake time. */
async function renewed({ authorization = '' }: Headers): Promise<Headers> {
  const [, claims = ''] = authorization.split('.');
  const { sub } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')));
  return { authorization: `Bearer ${await accessToken(env, { account: sub, epoch: 0 })}` };
}

describe('requester API: refused', () => {
  const code = async (response: Response) => await statusAndCode(response);

  test.each<[string, object, number, string]>([
    ['a landline', { phone: '+49 30 901820' }, 422, 'number_not_mobile'],
    [
      'a country that is switched off',
      { phone: '+33 6 12 34 56 78' },
      422,
      'country_not_supported',
    ],
    ['an unknown duration', { duration: 'week' }, 400, 'malformed_body'],
  ])('%s', async (_what, body, status, refusal) => {
    const { headers } = await requester();
    expect(await code(await postInvitation(headers, body))).toEqual([status, refusal]);
    expect(await list(headers)).toEqual([]);
  });

  test('no purchase, no session', async () => {
    const verified = await requester();
    await storePlan(verified.id, null);
    expect(await code(await postInvitation(verified.headers))).toEqual([409, 'main_plan_required']);
    expect(await code(await postInvitation({}))).toEqual([401, 'unauthorized']);
  });

  test('the sixth invitation of a day', async () => {
    const { headers } = await requester();
    for (let count = 0; count < 5; count += 1)
      expect((await postInvitation(headers)).status).toBe(200);
    expect(await code(await postInvitation(headers))).toEqual([429, 'daily_invitation_limit']);
    expect(await list(headers)).toHaveLength(5);
  });

  test('a missing PHONE_HASH_SECRET', async () => {
    const { headers } = await requester();
    const bare = { PHONE_HASH_SECRET: '' };
    expect(await code(await postInvitation(headers, {}, bare))).toEqual([
      503,
      'invitations_disabled',
    ]);
  });
});

test.each(phoneKinds)('requester API: %s: %s is asked by SMS, or only by link', async (...kind) => {
  const [, phone, , code] = kind;
  const { headers } = await requester();
  const more = { SMS_COUNTRIES: textedCountries };
  const words = { phone, name: 'Ana', duration: 'hour' };
  const preview = await post('/users/me/invitations/sms-preview', { phone }, headers, more);
  const answer = await preview.json();
  const refused = code === 'phone_incorrect';
  expect(answer).toMatchObject(
    refused ? { errors: { code } } : { data: { by_sms: code === null } },
  );
  if (code === null) return;
  const link = await post('/users/me/invitations', { ...words, via: 'link' }, headers, more);
  expect(link.status).toBe(refused ? 400 : 200);
});

test('requester API: a link works in a country without SMS, except for sharing until stopped', async () => {
  const { headers } = await requester();
  const abroad = { phone: '+33 6 12 34 56 78', via: 'link' };
  expect((await postInvitation(headers, abroad)).status).toBe(200);
  const long = await postInvitation(headers, { ...abroad, duration: 'until_stopped' });
  expect(await refusalOf(long)).toContain('country_not_supported');
});
