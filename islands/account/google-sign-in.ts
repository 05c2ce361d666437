import { navigate } from '../runtime/navigation/navigate.ts';
import { setEmailTaken } from '../stores/email-taken.ts';
import { setError } from '../stores/error.ts';
import { type GoogleState, profileOf, promptGoogle } from '../vendors/google-identity.ts';
import { signUpByGoogle } from './sign-up.ts';

interface Texts {
  /** Google gave no credential. */
  no_credential: string;
  /** Something broke after Google's answer. */
  unexpected: string;
  not_configured: string;
  not_initialized: string;
  not_available: string;
  /** The attempt itself threw. */
  attempt_failed: string;
  not_ready: string;
  failed: string;
  taken: string;
}

/** What a tap on our own button says; the reason why Google's own is not there. */
export function explain(state: GoogleState, text: Texts): void {
  const sentences: Record<Exclude<GoogleState, 'preloaded'>, string> = {
    waiting: text.not_ready,
    ready: text.not_ready,
    unconfigured: text.not_configured,
    unavailable: text.not_available,
    uninitialized: text.not_initialized,
  };
  if (state !== 'preloaded') {
    setError(sentences[state]);
    return;
  }
  try {
    promptGoogle();
  } catch {
    setError(text.attempt_failed);
  }
}

/**
 * Opens an account by Google's answer and goes on, or says why not; a taken e-mail is told to the
 * e-mail field. Never throws.
 */
export async function continueWith(
  credential: string | undefined,
  text: Texts,
  goOn: () => Promise<void> = navigate,
): Promise<void> {
  if (!credential) {
    setError(text.no_credential);
    return;
  }
  try {
    const person = profileOf(credential);
    const refusal = await signUpByGoogle(credential, person, text);
    if (refusal === null) await goOn();
    else if (refusal === text.taken) setEmailTaken(person.email);
    else setError(refusal);
  } catch {
    setError(text.unexpected);
  }
}
