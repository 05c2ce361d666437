import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';

/** What is known of a number from its registration; no live position. */
export interface NumberData {
  /** ISO 3166 alpha-2. */
  country: string | null;
  country_name: string | null;
  calling_code: string;
  carrier: string | null;
  /** Name of the IANA database. */
  timezone: string | null;
  city: string | null;
  type: string | null;
  /** International format. */
  number: string;
}

interface MapSlice {
  /** The middle of the area where the number is registered, 3000 m off. */
  initCoords: { lat: number; lng: number } | null;
  numberData: NumberData | null;
  /** The other person's number: as typed, then in international format. Kept 24 h. */
  phone: string;
  /** ISO 3166 alpha-2 of the typed number. */
  country: string;
  /** What the look-up said against the number; shown beside the field. */
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

/** Notes the number that the visitor wants to look up, as typed. */
export function setPhone(phone: string, country: string): void {
  $map.set({ ...$map.get(), phone, country, phoneError: '', numberData: null, initCoords: null });
}

/** Notes what the look-up found. */
export function setNumberData(numberData: NumberData): void {
  $map.set({ ...$map.get(), numberData, phone: numberData.number, phoneError: '' });
}

/** Notes where the number's place is, as the geocoder says. */
export function setCoords(initCoords: { lat: number; lng: number }): void {
  $map.setKey('initCoords', initCoords);
}

/** Notes that the look-up refused the number; the number itself is kept. */
export function rejectPhone(phoneError: string): void {
  $map.setKey('phoneError', phoneError);
}

/** Whether a typed number can be one: 4 to 15 digits of any script, and only signs between them. */
export function looksLikePhone(typed: string): boolean {
  const digits = typed.match(/\p{Nd}/gu)?.length ?? 0;
  return digits >= 4 && digits <= 15 && /^[\p{Nd}\s+().\-/]+$/u.test(typed.trim());
}
