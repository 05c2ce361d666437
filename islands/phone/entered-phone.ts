import { updateSlice } from '../runtime/storage/update-slice.ts';
import type { NumberData } from '../stores/map.ts';
import { dialledDigits } from './phone-parse.ts';

/** Whether a text can be a phone number: the longest has 8 digits of a call prefix and 15 others. */
export const looksLikePhone = (typed: string): boolean =>
  /^\+?\d{4,23}$/.test(dialledDigits(typed));

export function setPhone(phone: string, country: string): void {
  updateSlice('map', { phone, country, phoneError: '', numberData: null, initCoords: null });
}

export function setNumberData(numberData: NumberData): void {
  updateSlice('map', { numberData, phone: numberData.number, phoneError: '' });
}
