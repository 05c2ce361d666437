import type * as v from 'valibot';
import { cancelLink, manageLink } from './account-links.ts';
import { appLink } from './app-link.ts';
import { cancelled } from './cancellation.ts';
import { extraEnded } from './extra-ended.ts';
import { bought } from './purchase-confirmation.ts';
import { refunded } from './refund.ts';
import { reminder } from './renewal-reminder.ts';
import { resumed } from './resumption.ts';
import { signIn } from './sign-in.ts';
import { withdrawn } from './withdrawal.ts';

/** Mails with a link that opens something. */
const withCode = {
  sign_in: signIn,
  app_link: appLink,
  manage_link: manageLink,
  cancel_link: cancelLink,
} as const;

/** Every mail that we send, by the name that it has in the queue. */
export const letters = {
  ...withCode,
  bought,
  reminder,
  cancelled,
  extra_ended: extraEnded,
  resumed,
  withdrawn,
  refunded,
} as const;

export type LetterName = keyof typeof letters;
export type LetterWithCode = keyof typeof withCode;

/** Whether a letter is told its code by who delivers it, and nothing by its message. */
export const hasCode = (letter: LetterName): letter is LetterWithCode =>
  Object.hasOwn(withCode, letter);

/** What the message of a letter has to tell. */
export type DataOf<Name extends LetterName> = Name extends LetterWithCode
  ? null
  : v.InferOutput<(typeof letters)[Name]['data']>;
