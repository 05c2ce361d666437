import type * as v from 'valibot';
import { appLink } from './app-link.ts';
import { signIn } from './sign-in.ts';

/** Every mail that we send, by the name that it has in the queue. */
export const letters = {
  sign_in: signIn,
  app_link: appLink,
} as const;

export type LetterName = keyof typeof letters;

/** What a letter has to be told. */
export type DataOf<Name extends LetterName> = v.InferOutput<(typeof letters)[Name]['data']>;
