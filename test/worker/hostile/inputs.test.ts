import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import errors from '../../../locales/en/errors.json';
import { emailDigits } from '../../../worker/email/enqueue-email.ts';
import { answers, emails, names, phones, rightCodes, wrongCodes } from '../../inputs.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { browser, newEmail, signedUp } from '../accounts/browser.ts';
import { send, signIn } from '../console/console-client.ts';
import { morning } from '../invitations/invitation-fixture.ts';
import {
  freshNumber,
  postInvitation,
  requester,
  stubSmsVendor,
} from '../invitations/sms/sms-fixture.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import { cardWithTerms } from '../payments/purchase-helpers.ts';
import { post, refusalOf, request } from '../request.ts';
import { sampled } from '../sampled.ts';

/** What an entrance answers: its refusal, or what it understood; `accepted` where the answer does not say it. */
type Entrance<Input extends unknown[]> = (...input: Input) => Promise<string>;

let callers = 0;
/** Each call comes from another network, so that no limit refuses it. */
const elsewhere = () => {
  callers += 1;
  return { 'cf-connecting-ip': `198.18.${callers >> 8}.${callers & 255}` };
};

async function called(response: Response, meant: (body: never) => string = () => 'accepted') {
  if (response.ok) return meant((await response.json()) as never);
  return (await refusalOf(response)).slice(0, 2).join(' ');
}

/** Posts a form as a browser without scripts. */
async function submitted(path: string, fields: Record<string, string>, code: keyof typeof errors) {
  const body = new URLSearchParams(fields);
  const response = await request(path, { method: 'POST', headers: elsewhere(), body });
  if (response.status !== 303)
    return (await response.text()).includes(errors[code]) ? `${response.status} ${code}` : 'other';
  const cookies = response.headers.getSetCookie();
  const carry = cookies.find((cookie) => cookie.startsWith('carry='))?.split(';')[0] ?? '';
  return JSON.parse(decodeURIComponent(carry.slice('carry='.length)));
}

const table = <Row, Input extends unknown[]>(
  rows: readonly Row[],
  entrances: Record<string, Entrance<Input>>,
) =>
  Object.entries(entrances).flatMap(([name, entrance]) =>
    rows.map((row) => ({ name, entrance, row })),
  );

const link = { via: 'link', name: 'Ana', duration: 'hour' };
/** One for all numbers, because few people may ask the same one. */
let asker: ReturnType<typeof requester> | undefined;
const askerHeaders = async () => {
  asker ??= requester();
  return (await asker).headers;
};

const phoneEntrances: Record<string, Entrance<[phone: string, country: string]>> = {
  'a form': async (phone, country) => {
    const carried = await submitted('/one_pager', { phone, country }, 'phone_incorrect');
    return typeof carried === 'string' ? carried : carried.map.phone;
  },
  'the look-up': async (phone, country) =>
    called(
      await post('/phone-number-info', { phone, country }, elsewhere()),
      ({ data }: { data: { number: string } }) => data.number,
    ),
  'the preview of an invitation': async (phone, country) =>
    called(
      await post('/users/me/invitations/sms-preview', { phone, country }, await askerHeaders()),
    ),
  'an invitation': async (phone, country) =>
    called(await postInvitation(await askerHeaders(), { ...link, phone, country })),
};

test.each(sampled(table(phones, phoneEntrances), 3))(
  'inputs: a phone number, $row.0, at $name',
  async ({ entrance, row: [, phone, meaning, country] }) => {
    const answer = await entrance(phone, country);
    if (meaning === null) expect(answer).toBe('400 phone_incorrect');
    else expect([meaning, 'accepted']).toContain(answer);
  },
);

const emailEntrances: Record<string, Entrance<[email: string]>> = {
  'a form': async (email) => {
    const carried = await submitted('/signup', { email }, 'email_invalid');
    return typeof carried === 'string' ? carried : carried.signup.email;
  },
  'the sign-up': async (email) => {
    const landing = { user_uuid: crypto.randomUUID(), landing_type: 'split_fullPrice' };
    const fields = { registration_source: 'email', email, name: email, ...landing };
    return called(await post('/signup', fields, elsewhere()));
  },
  'the e-mailed link': async (email) => called(await post('/sign-in-link', { email }, elsewhere())),
};

test.each(sampled(table(emails, emailEntrances), 4))(
  'inputs: an e-mail, $row.0, at $name',
  async ({ entrance, row: [, email, meaning] }) => {
    if (meaning === null) return expect(await entrance(email)).toBe('422 email_invalid');
    // A mailbox of its own for each account.
    const own = `+${crypto.randomUUID().slice(0, 8)}`;
    const answer = await entrance(email.replace(/[@＠]/, (at) => own + at));
    expect([meaning.replace('@', `${own}@`), 'accepted']).toContain(answer);
  },
);

test.each(answers)('inputs: an answer, %s: %j is kept as %j', async (_kind, who, meaning) => {
  const carried = await submitted('/questions', { who, matters: 'meeting' }, 'unexpected');
  expect(carried.answers).toEqual({ ...(meaning && { [meaning]: true }), meeting: true });
});

test.each(sampled(names, 2))(
  'inputs: a name, %s: %j is understood as %j',
  async (_kind, name, meaning) => {
    const response = await postInvitation((await requester()).headers, { ...link, name });
    const told = ({ sms }: { sms: string }) =>
      decodeURIComponent(sms).includes(`${meaning} `) ? `${meaning}` : sms;
    expect(await called(response, told)).toBe(meaning ?? '422 name_refused');
  },
);

/** Someone with a code of six digits, which they type. */
const codeEntrances: Record<string, () => Promise<{ code: string; type: Entrance<[string]> }>> = {
  'the page of the account': async () => {
    const one = browser();
    const { access_token } = await signedUp(one, newEmail());
    await one.send('/users/me/mailbox-code', {}, access_token);
    return {
      code: await emailDigits(env.TOKEN_SECRET, one.sent.at(-1)?.id ?? ''),
      type: async (digits) => called(await one.send('/users/me/mailbox', { digits }, access_token)),
    };
  },
  'the page of the invitee': async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: morning });
    const [sms, phone] = [stubSmsVendor(), freshNumber()];
    const invited = await postInvitation((await requester()).headers, { ...link, phone });
    const code = ((await invited.json()) as { link: string }).link.split('#')[1];
    await post('/invitations/opt-out-code', { code, phone }, elsewhere());
    await vi.waitFor(() => expect(sms.inbox(phone)).toHaveLength(1), pollTimeout);
    return {
      code: /\d{6}/.exec(sms.inbox(phone)[0]?.body ?? '')?.[0] ?? '',
      type: async (digits) =>
        called(await post('/invitations/opt-out', { code, digits }, elsewhere())),
    };
  },
};
const refusedCodes: Record<string, string> = {
  'the page of the account': '422 mailbox_code_wrong',
  'the page of the invitee': '422 opt_out_code_wrong',
};

test.each(Object.entries(codeEntrances))(
  'inputs: a code of six digits at %s',
  async (name, open) => {
    const wrong = await open();
    for (const [kind, text] of wrongCodes)
      expect([kind, await wrong.type(text)]).toEqual([kind, refusedCodes[name]]);
    for (const [kind, write] of rightCodes) {
      const { code, type } = await open();
      expect([kind, await type(write(code))]).toEqual([kind, 'accepted']);
    }
  },
);

const couponEntrances: Record<string, Entrance<[coupon: string]>> = {
  'the field': async (coupon) =>
    called(await post('/coupons', { coupon, plan: 'monthly_usd' }, elsewhere())),
  'a purchase': async (coupon) => {
    const order = { ...cardWithTerms('monthly_usd', 'pm_card_visa'), coupon };
    const headers = { ...(await newAccount()).headers, ...elsewhere() };
    return called(await post('/users/me/subscriptions/polling/monthly_usd', order, headers));
  },
};

test.each(Object.entries(couponEntrances))('inputs: a coupon at %s', async (name, entrance) => {
  stubStripe();
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
  const config = { experiment: 'coupons', variants, coupons: { SAVE10: { percent: 10 } } };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await vi.waitFor(
    async () => expect(await couponEntrances['the field']?.('SAVE10')).toBe('accepted'),
    pollTimeout,
  );
  for (const [kind, text] of wrongCodes) {
    // Whoever types nothing buys without a coupon.
    const isNone = name === 'a purchase' && text === '';
    expect([kind, await entrance(text)]).toEqual([
      kind,
      isNone ? 'accepted' : '422 coupon_unknown',
    ]);
  }
  for (const [kind, write] of rightCodes)
    for (const text of [write('SAVE10'), write('save10')])
      expect([kind, await entrance(text)]).toEqual([kind, 'accepted']);
});

test('inputs: the console’s search shows whatever is typed as text', async () => {
  const headers = await signIn();
  const typed = [...wrongCodes, ...names.filter(([, , meaning]) => meaning === null)];
  for (const [, text] of typed) {
    const response = await send('/console/people', { text }, { headers });
    const isMarkup = (await response.text()).includes('<img src=x');
    expect([text, response.status, isMarkup]).toEqual([text, 200, false]);
  }
});
