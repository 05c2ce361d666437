import { call, messageOf } from '../runtime/api.ts';
import { here } from '../runtime/here.ts';
import { loadDeeplink } from './deeplink.ts';
import { setLoader } from './loader.ts';
import { loadPaymentSettings } from './payment-settings.ts';
import { $signup } from './signup.ts';
import { visitorUuid } from './visitor.ts';

interface SignupAnswer {
  data: {
    access_token: string;
    deeplink_token: string;
    entity: { external_user_id: string; uuid?: string };
  };
}

interface Texts {
  /** Shown when the server gives no message. */
  failed: string;
  /** Shown when the e-mail has an account already. */
  taken: string;
}

const takenWords = /the email has already been taken|useremailtaken/i;

/** The words for a refused sign-up: the server's, but ours for a taken e-mail or without any. */
export function signupMessage(error: unknown, texts: Texts): string {
  const message = messageOf(error);
  if (!message) return texts.failed;
  return takenWords.test(message.replaceAll('.', '')) ? texts.taken : message;
}

/**
 * Makes an account of an e-mail. Payment settings and deeplink are asked for afterwards and not
 * waited for.
 *
 * @returns null on success, else the sentence to show
 */
export async function signUp(email: string, texts: Texts, name = email): Promise<string | null> {
  setLoader(true);
  try {
    const { data } = await call<SignupAnswer>('/signup', {
      body: {
        registration_source: 'email',
        email,
        user_uuid: visitorUuid(),
        landing_type: here().landingType,
        name,
      },
    });
    $signup.set({
      ...$signup.get(),
      email,
      name,
      emailValidity: true,
      isSuccess: true,
      token: data.access_token,
      deeplinkToken: data.deeplink_token,
      userId: data.entity.external_user_id,
      uuid: data.entity.uuid ?? $signup.get().uuid,
      paymentSettingsStatus: '',
    });
  } catch (error) {
    return signupMessage(error, texts);
  } finally {
    setLoader(false);
  }
  loadPaymentSettings();
  loadDeeplink();
  return null;
}
