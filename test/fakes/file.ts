import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BraintreeState, emptyBraintree } from './braintree/state.ts';
import type { MailState } from './mail/mailbox.ts';
import type { SmsState } from './sms/server.ts';
import { seedProduct } from './stripe/catalog.ts';
import { emptyState, type StripeState } from './stripe/state.ts';

interface Contents {
  /** How far the payment fakes' clock is ahead of ours, in ms. */
  clock: { ahead: number };
  braintree: BraintreeState;
  stripe: StripeState;
  mail: MailState;
  sms: SmsState;
}

function read(file: string | undefined): Partial<Contents> {
  try {
    return file ? JSON.parse(readFileSync(file, 'utf8')) : {};
  } catch {
    // No file yet, or one that a crash cut short.
    return {};
  }
}

/** The state of all fakes: read once from the file, written back after each `save`. */
export function openMemory(file: string | undefined) {
  const saved = read(file);
  const contents: Contents = {
    clock: { ahead: 0, ...saved.clock },
    stripe: { ...emptyState(), ...saved.stripe },
    braintree: { ...emptyBraintree(), ...saved.braintree },
    mail: { mails: {}, keys: {}, ...saved.mail },
    sms: { messages: [], replies: [], ...saved.sms },
  };
  // STRIPE_PRODUCT of the development variables.
  seedProduct('prod_funnel', 'Funnel', contents.stripe);
  let waiting = false;
  function write(path: string): void {
    waiting = false;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(contents));
    renameSync(`${path}.new`, path);
  }
  return {
    clock: () => contents.clock,
    stripe: () => contents.stripe,
    mail: () => contents.mail,
    sms: () => contents.sms,
    braintree: () => contents.braintree,
    save: () => {
      if (!file || waiting) return;
      waiting = true;
      setTimeout(write, 100, file).unref();
    },
  };
}
