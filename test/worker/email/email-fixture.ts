import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import { vi } from 'vitest';
import { emailCode } from '../../../worker/email/email-code.ts';
import type { EmailMessage } from '../../../worker/email/enqueue-email.ts';
import type { TemplateWithCode } from '../../../worker/email/templates/index.ts';
import type { Env } from '../../../worker/env.ts';
import worker from '../../../worker/index.ts';
import { createMail } from '../../fakes/mail/server.ts';

/** A mail that visitors ask for. */
type Asked = EmailMessage<TemplateWithCode>;

/** The code that a mail will carry. */
export const codeOf = (mail?: Asked) => emailCode(env.TOKEN_SECRET, mail?.id ?? '');

/** Has the Worker's fetch reach the mail vendor's stand-in, and nobody else. */
export function openPostOffice() {
  const mail = createMail();
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    mail.fetch(new Request(input, init)),
  );
  return mail;
}

export const mailVars = { MAIL_KEY: 're_fake', MAIL_FROM: 'Funnel <hello@example.com>' };

/** A queue that only keeps what it is given; `down` makes it refuse. */
export function mailQueue() {
  const sent: Asked[] = [];
  const queue = {
    down: false,
    async send(mail: Asked) {
      if (queue.down) throw new Error('queue down');
      sent.push(structuredClone(mail));
    },
  };
  return { sent, queue, more: { EMAIL_QUEUE: queue } as unknown as Partial<Env> };
}

/** Hands messages to the Worker's consumer as the platform does; tells which come again. */
export async function deliver(bodies: unknown[], more: Partial<Env> = {}) {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch('funnel-email', messages);
  await worker.queue(batch, { ...env, ...mailVars, ...more });
  const { ackAll, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { ackAll, again: retryMessages.map(({ msgId }) => msgId) };
}
