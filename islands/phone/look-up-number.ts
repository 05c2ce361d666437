import { call, errorCode } from '../runtime/api.ts';
import { $map, type NumberData, setNumberData } from '../stores/map.ts';

export type Found = 'found' | 'incorrect' | 'failed';

/** `incorrect`: the number is wrong; `failed`: the lookup could not tell. */
export function verdictOf(error: unknown): Found {
  if (error instanceof Error || errorCode(error) === 'phone_lookup_failed') return 'failed';
  return 'incorrect';
}

export async function lookUpNumber(): Promise<Found> {
  const { phone, country } = $map.get();
  try {
    const body = { phone, country: country || undefined };
    const { data } = await call<{ data: NumberData }>('/phone-number-info', { body });
    setNumberData(data);
    return 'found';
  } catch (error) {
    return verdictOf(error);
  }
}
