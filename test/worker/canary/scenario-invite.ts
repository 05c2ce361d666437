import { env, runInDurableObject } from 'cloudflare:test';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import { signed } from '../../fakes/sms/server.ts';
import { address, e164, place, surname } from './test-identities.ts';
import type { TracedSite } from './traced-site.ts';
import { codeIn, type Visitor } from './visitor.ts';

const question = { phone: e164, country: 'DE', name: surname, duration: 'day' };

const inviteeObject = async () => env.INVITATIONS.getByName(await phoneHash(env, e164));

/** The invitee's object, with replaced queues before its first use. */
export async function adoptInvitee(site: TracedSite): Promise<void> {
  await site.adopt('invitations', await inviteeObject());
}

/** Makes every hour daytime, so that no SMS waits for the morning. */
const runAlarm = async () =>
  runInDurableObject(await inviteeObject(), async (object: Invitee, { storage }) => {
    storage.kv.put('contact', { ...storage.kv.get<object>('contact'), zones: [] });
    for (const [key, text] of [...storage.kv.list<object>({ prefix: 'sms:' })])
      storage.kv.put(key, { ...text, dueAt: 0 });
    storage.kv.put('contact', { ...storage.kv.get<object>('contact'), zones: [] });
    await object.alarm();
  });

/** One requester invites by SMS, and sees the invitee's position. */
export async function inviteBySms(
  visitor: Visitor,
  person: Visitor,
  site: TracedSite,
): Promise<void> {
  await visitor.post('/users/me/invitations/sms-preview', question);
  await visitor.post('/users/me/invitations', { ...question, via: 'sms' });
  await site.recordStorage();
  await runAlarm();
  await site.deliver();
  const code = codeIn(site.vendors.sms.inbox(e164).at(-1)?.body ?? '');
  visitor.recordSecret('invitation code', code);
  await person.post('/invitations/open', { code });
  await person.post('/invitations/accept', { code, position: place });
  await visitor.get('/users/me/invitations');
  await site.recordStorage();
}

/** Another requester invites by a shared link, and is refused and reported. */
export async function inviteByLink(visitor: Visitor, person: Visitor): Promise<void> {
  const request = { ...question, via: 'link' };
  const { link } = await visitor.post<{ link: string }>('/users/me/invitations', request);
  const code = visitor.recordSecret('invitation code', codeIn(link));
  await person.post('/invitations/open', { code });
  await person.post('/invitations/decline', { code });
  await person.post('/invitations/block', { code, report: true });
  await visitor.get('/users/me/invitations');
}

const url = 'http://localhost/webhooks/twilio';

/** The invitee replies by SMS, finally with STOP. */
export async function replyBySms(site: TracedSite): Promise<void> {
  for (const [Body, token] of [
    [`Who is ${address}, and ${e164}?`, 'twilio_fake'],
    ['STOP', 'not theirs'],
    ['STOP', 'twilio_fake'],
  ] as const) {
    const fields = { AccountSid: 'AC_fake', MessageSid: 'SM1', From: e164, Body };
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signed(url, fields, token),
    };
    await site.send('/webhooks/twilio', {
      method: 'POST',
      headers,
      body: `${new URLSearchParams(fields)}`,
    });
  }
}
