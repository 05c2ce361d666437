import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import type { InvitationRequest } from '../../../../worker/invitations/send-invitation.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';
import { createSms } from '../../../fakes/sms/server.ts';
import { newAccount, verify } from '../../accounts/account-fixture.ts';
import { deliverToQueue } from '../../queue.ts';
import { post } from '../../request.ts';
import { contact } from '../invitation-fixture.ts';
import { storePlan } from '../plan-fixture.ts';

/** Routes every outgoing request to the fake SMS vendor. */
export function stubSmsVendor() {
  const sms = createSms();
  const urls: string[] = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    urls.push(input);
    return sms.fetch(new Request(input, init));
  });
  return { ...sms, urls };
}

/** A new invitee's object, and a request to it without quiet hours. A new requester has a plan. */
export async function newInvitee(more: Partial<InvitationRequest> = {}) {
  const inviteeKey = crypto.randomUUID();
  const request: InvitationRequest = {
    ...contact,
    // Each has its own prefix, because invitations are limited per prefix.
    e164: freshNumber('+4915'),
    zones: [],
    account: crypto.randomUUID() as AccountId,
    inviteeKey,
    duration: 'day',
    via: 'sms',
    name: 'Ana',
    cents: 8,
    requesterBrowser: crypto.randomUUID(),
    ...more,
  };
  if (!more.account) await storePlan(request.account);
  return { stub: env.INVITATIONS.getByName(inviteeKey), request };
}

export type Stub = Awaited<ReturnType<typeof newInvitee>>['stub'];

/** Passes messages to the Worker. @returns how many are retried */
export const deliverSms = async (bodies: unknown[], more: Partial<Env> = {}) =>
  (await deliverToQueue('funnel-sms', bodies, 1, more)).again.length;

/** Collects the log lines from here on. */
export function captureLog() {
  const levels = ['debug', 'info', 'warn', 'error', 'log'] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map(String));
}

/** An account with a plan and a verified e-mail. */
export async function requester() {
  const account = await newAccount();
  await verify(account.id);
  await storePlan(account.id);
  return account;
}

/** A random German mobile number of 11 national digits that begins like this. */
export function freshNumber(start = '+491512'): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return (
    start +
    String(random)
      .padStart(10, '0')
      .slice(start.length - 14)
  );
}

export const postInvitation = (
  headers: Record<string, string>,
  body: object = {},
  more: Partial<Env> = {},
) =>
  post(
    '/users/me/invitations',
    { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'sms', ...body },
    headers,
    more,
  );
