import { call, errorCode } from '../runtime/api.ts';
import { sliceOf } from '../runtime/storage/update-slice.ts';
import type { NumberData } from '../stores/map.ts';
import { setNumberData } from './entered-phone.ts';

/** `ask`: the visitor has to say which number is meant, or how to ask a number that gets no SMS. */
export type LookupResult = 'found' | 'ask' | 'incorrect' | 'failed';

const foundOf = ({ other_readings, sms_refusal }: NumberData): LookupResult =>
  other_readings || (sms_refusal && !sliceOf('map').byLink) ? 'ask' : 'found';

/** `incorrect`: the number is wrong; `failed`: the lookup failed, as when too many are requested. */
const verdictOf = (error: unknown): LookupResult =>
  /^phone_(incorrect|ambiguous)$/.test(errorCode(error) ?? '') ? 'incorrect' : 'failed';

async function request(phone: string, country: string | undefined): Promise<LookupResult> {
  try {
    const body = { phone, country: country || undefined };
    const { data } = await call<{ data: NumberData }>('/phone-number-info', { body });
    setNumberData(data);
    return foundOf(data);
  } catch (error) {
    return verdictOf(error);
  }
}

let running: { phone: string; verdict: Promise<LookupResult> } | undefined;

/** Starts at the landing page's submit; the next screen reads the result. A failed lookup is requested again. */
export function lookUp(): Promise<LookupResult> {
  const { phone = '', country, numberData } = sliceOf('map');
  if (numberData?.number === phone) return Promise.resolve(foundOf(numberData));
  if (running?.phone === phone) return running.verdict;
  const verdict = request(phone, country).finally(() => {
    running = undefined;
  });
  running = { phone, verdict };
  return verdict;
}
