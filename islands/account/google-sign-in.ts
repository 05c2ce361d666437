import { navigate } from '../runtime/navigation/navigate.ts';
import { stayed } from '../runtime/navigation/stayed.ts';
import { reportError } from '../runtime/tracking/report-error.ts';
import { setError } from '../stores/error.ts';
import { refuseEmail } from '../stores/signup.ts';
import { type GoogleState, googleProfile, promptGoogle } from '../vendors/google-identity.ts';
import { settleNumber, signUpByGoogle } from './signup.ts';

interface Texts {
  /** Shown when Google returned no credential. */
  no_credential: string;
  /** Shown when sign-up failed after Google's response. */
  unexpected: string;
  not_configured: string;
  not_initialized: string;
  not_available: string;
  /** Shown when the sign-in call threw. */
  attempt_failed: string;
  not_ready: string;
  failed: string;
  taken: string;
}

const report = (error: unknown) =>
  void stayed().then(() => reportError('island_failed', { type: (error as Error).name }));

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
  } catch (error) {
    report(error);
    setError(text.attempt_failed);
  }
}

/** Signs up and navigates on, or shows an error; sets `$refusedEmail` for a taken e-mail. Never throws. */
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
    const person = googleProfile(credential);
    const refusal = await signUpByGoogle(credential, person, text);
    if (refusal === null) await goOn();
    else if (refusal === text.taken) refuseEmail(person.email, refusal);
    else setError(refusal);
  } catch (error) {
    report(error);
    setError(text.unexpected);
  }
}

/** `continueWith`, once the visitor's number needs no answer. */
export async function signUpWith(credential: string | undefined, text: Texts): Promise<void> {
  const number = await settleNumber();
  if (number === 'found') await continueWith(credential, text);
  else if (number === 'failed') setError(text.failed);
}
