import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';

export interface NumberData {
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
  /** Why we send it no SMS. */
  sms_refusal?: { message: string } | null;
  /** What the typed text can mean besides. */
  other_readings?: { number: string; country_name: string | null }[] | null;
}

export interface MapSlice {
  /** Centre of the number's registration area, rounded to 3 km. */
  initCoords: { lat: number; lng: number } | null;
  numberData: NumberData | null;
  /** The other person's number: as typed, then international. Stored for 24 h. */
  phone: string;
  /** The other person's first name, if the visitor typed it. Never leaves the browser. */
  name: string;
  country: string;
  /** The lookup's error, shown beside the field. */
  phoneError: string;
  /** The visitor chose to send a link, because the number gets no SMS. */
  byLink: boolean;
}

declare module '../runtime/storage/update-slice.ts' {
  interface Slices {
    map: MapSlice;
  }
}

export const $map = map<MapSlice>({
  initCoords: null,
  numberData: null,
  phone: '',
  name: '',
  country: '',
  phoneError: '',
  byLink: false,
});
persist('map', $map);

export function setCoords(initCoords: { lat: number; lng: number }): void {
  $map.setKey('initCoords', initCoords);
}

export function chooseLink(): void {
  updateSlice('map', { byLink: true });
}

export function rejectPhone(phoneError: string): void {
  $map.setKey('phoneError', phoneError);
}
