import { type LookupResult, lookUp } from '../phone/lookup.ts';
import { call } from '../runtime/api.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import { sliceOf, updateSlice } from '../runtime/storage/update-slice.ts';
import { track } from '../runtime/tracking/track.ts';
import { setLoader } from '../stores/pending.ts';
import { $signup, noSession } from '../stores/signup.ts';
import { visitorUuid } from '../stores/visitor-uuid.ts';

interface SignupAnswer {
  data: {
    access_token: string;
    deeplink_token: string;
    own_access_token?: string | null;
    entity: { external_user_id: string; uuid?: string };
  };
}

export interface SignupTexts {
  /** Shown when the server sends no message. */
  failed: string;
  taken: string;
}

const takenPattern = /the email has already been taken|useremailtaken/i;

export function signupMessage(error: unknown, texts: SignupTexts): string {
  const message = refusalMessage(error);
  if (!message) return texts.failed;
  return takenPattern.test(message.replaceAll('.', '')) ? texts.taken : message;
}

async function createAccount(
  path: string,
  body: object,
  person: { email: string; name: string },
  texts: SignupTexts,
): Promise<string | null> {
  setLoader(true);
  try {
    const { data } = await call<SignupAnswer>(path, {
      body: { ...body, user_uuid: visitorUuid(), landing_type: pageData().landingType },
    });
    updateSlice('signup', {
      ...person,
      emailValidity: true,
      isSuccess: true,
      token: data.access_token,
      own: data.own_access_token === null ? noSession : (data.own_access_token ?? ''),
      deeplinkToken: data.deeplink_token,
      userId: data.entity.external_user_id,
      uuid: data.entity.uuid ?? $signup.get().uuid,
      paymentSettingsStatus: '',
    });
    track('lead', { method: path === '/signup' ? 'email' : 'google' }, data.entity.uuid);
  } catch (error) {
    return signupMessage(error, texts);
  } finally {
    setLoader(false);
  }
  import('./after-signup.ts').then(({ prepare }) => prepare()).catch(() => {}); // The next screen requests it itself.
  return null;
}

export function signUp(email: string, texts: SignupTexts, name = email): Promise<string | null> {
  return createAccount(
    '/signup',
    { registration_source: 'email', email, name },
    { email, name },
    texts,
  );
}

/** Before an e-mail is taken. A number that is wrong or has to be asked about leads to the screen of the look-up. */
export async function settleNumber(): Promise<LookupResult> {
  const found = sliceOf('map').phone ? await lookUp() : 'found';
  if (found === 'ask' || found === 'incorrect') await navigate(pageData().search);
  return found;
}

/** Shows the next screen, or the one that asks about the number. @returns why not; null if it did */
export async function signUpAndGoOn(email: string, texts: SignupTexts): Promise<string | null> {
  const number = await settleNumber();
  if (number === 'failed') return texts.failed;
  if (number !== 'found') return null;
  const refusal = await signUp(email, texts);
  if (refusal === null) await navigate();
  return refusal;
}

/** @param person name and e-mail from the credential */
export function signUpByGoogle(
  credential: string,
  person: { email: string; name: string },
  texts: SignupTexts,
): Promise<string | null> {
  const body = { access_token: credential, driver: 'google' };
  return createAccount('/authorize_social_via_access_token', body, person, texts);
}
