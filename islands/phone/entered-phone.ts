import { updateSlice } from '../runtime/storage/update-slice.ts';
import type { NumberData } from '../stores/map.ts';

/** Whether a text can be a phone number: 4 to 15 digits of any script and separators. */
export function looksLikePhone(typed: string): boolean {
  const digits = typed.match(/\p{Nd}/gu)?.length ?? 0;
  return digits >= 4 && digits <= 15 && /^[\p{Nd}\s+().\-/]+$/u.test(typed.trim());
}

export function setPhone(phone: string, country: string): void {
  updateSlice('map', { phone, country, phoneError: '', numberData: null, initCoords: null });
}

export function setNumberData(numberData: NumberData): void {
  updateSlice('map', { numberData, phone: numberData.number, phoneError: '' });
}
