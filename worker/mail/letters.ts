import type * as v from 'valibot';
import { appLink } from './app-link.ts';
import { bought } from './bought.ts';
import { cancelled } from './cancelled.ts';
import { cancelLink, manageLink } from './page-link.ts';
import { refunded } from './refunded.ts';
import { reminder } from './reminder.ts';
import { resumed } from './resumed.ts';
import { signIn } from './sign-in.ts';
import { withdrawn } from './withdrawn.ts';

/** Every mail that we send, by the name that it has in the queue. */
export const letters = {
  sign_in: signIn,
  app_link: appLink,
  manage_link: manageLink,
  cancel_link: cancelLink,
  bought,
  reminder,
  cancelled,
  resumed,
  withdrawn,
  refunded,
} as const;

export type LetterName = keyof typeof letters;

/** What a letter has to be told. */
export type DataOf<Name extends LetterName> = v.InferOutput<(typeof letters)[Name]['data']>;
