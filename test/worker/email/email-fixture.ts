import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { loadEnglish, translationsFor } from '../../../worker/content/translations.ts';
import type { EmailMessage } from '../../../worker/email/enqueue-email.ts';
import { emailCode } from '../../../worker/email/enqueue-email.ts';
import type { TemplateWithCode } from '../../../worker/email/templates/index.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { createMail } from '../../fakes/mail/server.ts';
import { planNamed } from '../payments/attempts/attempt-fixture.ts';
import { deliverToQueue } from '../queue.ts';

await loadEnglish();

/** @param language a loaded one */
export const templateContext = (language: string) => ({
  t: translationsFor(language).mails,
  named: translationsFor(language).named,
  language,
  site: 'https://funnel.test',
  brand: 'Geozilla',
  support: 'help@funnel.test',
  seller: '',
});

const at = Date.parse('2026-11-20T12:00Z');
export const week = Date.parse('2026-11-27T12:00Z');
export const moneyData = {
  plan: planNamed('monthly_7d_usd'),
  ...{ coupon: null, at, timeZone: 'UTC' },
};

/** An e-mail that a visitor requests. */
type RequestedEmail = EmailMessage<TemplateWithCode>;
export const codeOf = (mail?: RequestedEmail) => emailCode(env.TOKEN_SECRET, mail?.id ?? '');

/** Routes every outgoing request to the fake e-mail vendor. */
export function stubMailVendor() {
  const mail = createMail();
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    mail.fetch(new Request(input, init)),
  );
  return mail;
}

export const mailVars = { RESEND_API_KEY: 're_fake', EMAIL_FROM: 'Funnel <hello@example.com>' };

/** A queue that records its messages; `down` makes it throw. */
export function mailQueue() {
  const sent: RequestedEmail[] = [];
  const queue = {
    down: false,
    async send(mail: RequestedEmail) {
      if (queue.down) throw new Error('queue down');
      sent.push(structuredClone(mail));
    },
  };
  return { sent, queue, more: { EMAIL_QUEUE: queue } as unknown as Partial<Env> };
}

/** Passes e-mails to the Worker; `again` lists the messages to retry. */
export async function deliver(bodies: unknown[], more: Partial<Env> = {}) {
  const vars = { ...mailVars, ...more };
  const { ackAll, again } = await deliverToQueue('funnel-email', bodies, 1, vars);
  return { ackAll, again };
}
