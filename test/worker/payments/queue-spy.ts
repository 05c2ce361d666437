import { env, runInDurableObject } from 'cloudflare:test';
import type { EmailMessage } from '../../../worker/email/enqueue-email.ts';
import type { Env } from '../../../worker/env.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { buyer } from './purchases/fake-gateway.ts';

type Stub = ReturnType<typeof buyer>['stub'];

/** Puts a queue that only keeps what it is given before the object; `refuses` makes it throw. */
export async function postBox(stub: Stub) {
  const sent: EmailMessage[] = [];
  const box = {
    sent,
    refuses: false,
    /** Letters in the order they came, with the repetitions. */
    letters: () => sent.map(({ template }) => template),
    of: (letter: string) => sent.filter((mail) => mail.template === letter),
  };
  const EMAIL_QUEUE = {
    async send(mail: EmailMessage) {
      if (box.refuses) throw new Error('queue down');
      sent.push(structuredClone(mail));
    },
  };
  await runInDurableObject(stub, (object: Purchases) => {
    const more = { ...env, EMAIL_QUEUE } as unknown as Env;
    Object.defineProperty(object, 'env', { value: more, configurable: true });
  });
  return box;
}

/** Runs the object's job now. */
export const settle = (stub: Stub) =>
  runInDurableObject(stub, (object: Purchases) => object.alarm());
