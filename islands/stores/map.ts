import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';

export interface NumberData {
  /** ISO 3166 alpha-2. */
  country: string | null;
  country_name: string | null;
  calling_code: string;
  carrier: string | null;
  /** IANA time zone. */
  timezone: string | null;
  city: string | null;
  type: string | null;
  /** International format. */
  number: string;
}

interface MapSlice {
  /** Centre of the number's registration area, rounded to 3 km. */
  initCoords: { lat: number; lng: number } | null;
  numberData: NumberData | null;
  /** The other person's number: as typed, then international. Stored for 24 h. */
  phone: string;
  /** ISO 3166 alpha-2. */
  country: string;
  /** The lookup's error, shown beside the field. */
  phoneError: string;
}

export const $map = map<MapSlice>({
  initCoords: null,
  numberData: null,
  phone: '',
  country: '',
  phoneError: '',
});
persist('map', $map);

export function setPhone(phone: string, country: string): void {
  $map.set({ ...$map.get(), phone, country, phoneError: '', numberData: null, initCoords: null });
}

export function setNumberData(numberData: NumberData): void {
  $map.set({ ...$map.get(), numberData, phone: numberData.number, phoneError: '' });
}

export function setCoords(initCoords: { lat: number; lng: number }): void {
  $map.setKey('initCoords', initCoords);
}

export function rejectPhone(phoneError: string): void {
  $map.setKey('phoneError', phoneError);
}

/** Whether a text can be a phone number: 4 to 15 digits of any script and separators. */
export function looksLikePhone(typed: string): boolean {
  const digits = typed.match(/\p{Nd}/gu)?.length ?? 0;
  return digits >= 4 && digits <= 15 && /^[\p{Nd}\s+().\-/]+$/u.test(typed.trim());
}
