import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import { vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import worker from '../../../../worker/index.ts';
import type { InvitationRequest } from '../../../../worker/invitations/send-invitation.ts';
import { createSms } from '../../../fakes/sms/server.ts';
import { newAccount, verify } from '../../accounts/account-fixture.ts';
import { post } from '../../request.ts';
import { contact } from '../invitation-fixture.ts';

/** Has the Worker's fetch reach the stand-in of the vendor of texts, and nobody else. */
export function openSms() {
  const sms = createSms();
  const urls: string[] = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    urls.push(input);
    return sms.fetch(new Request(input, init));
  });
  return { ...sms, urls };
}

/** A person's object that nobody has asked yet, and a question to it; every hour is day. */
export function somebody(more: Partial<InvitationRequest> = {}) {
  const person = crypto.randomUUID();
  const asking: InvitationRequest = {
    ...contact,
    zones: [],
    account: crypto.randomUUID(),
    person,
    duration: 'day',
    via: 'text',
    name: 'Ana',
    cents: 8,
    browser: crypto.randomUUID(),
    ...more,
  };
  return { stub: env.INVITATIONS.getByName(person), asking };
}

export type Stub = ReturnType<typeof somebody>['stub'];

/** Hands messages to the Worker's consumer as the platform does; tells how many come again. */
export async function deliverTexts(bodies: unknown[], more: Partial<Env> = {}): Promise<number> {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch('funnel-sms', messages);
  await worker.queue(batch, { ...env, ...more });
  const { retryMessages } = await getQueueResult(batch, createExecutionContext());
  return retryMessages.length;
}

/** Everything that is written from here on. */
export function listen() {
  const levels = ['debug', 'info', 'warn', 'error', 'log'] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map(String));
}

/** An account that may invite: it paid, and its owner has the mailbox. */
export async function requester() {
  const account = await newAccount();
  await verify(account.id);
  return account;
}

/** Purchases objects that all have a plan. */
export const paid = {
  PURCHASES: { getByName: () => ({ active: async () => 'monthly_usd' }) },
} as unknown as Partial<Env>;

/** A mobile number of Germany that no other test has. */
export function freshNumber(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `+491512${String(random % 10_000_000).padStart(7, '0')}`;
}

export const ask = (headers: Record<string, string>, body: object = {}, more: Partial<Env> = {}) =>
  post(
    '/users/me/invitations',
    { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'text', ...body },
    headers,
    { ...paid, ...more },
  );
