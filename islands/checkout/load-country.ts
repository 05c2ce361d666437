import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/** Loads the visitor's country, which 3-D Secure requires. A failure is only logged. */
export async function loadCountry(): Promise<void> {
  try {
    const { country_code } = await call<{ country_code: string }>('/cf-country');
    $signup.setKey('userLocation', country_code);
  } catch (error) {
    console.warn('country failed', error);
  }
}
