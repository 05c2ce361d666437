import { updateSlice } from '../runtime/storage/update-slice.ts';
import type { NumberData } from '../stores/map.ts';

export function setPhone(phone: string, country: string): void {
  const nothing = { phoneError: '', numberData: null, initCoords: null, byLink: false };
  updateSlice('map', { phone, country, ...nothing });
}

export function setNumberData(numberData: NumberData): void {
  updateSlice('map', { numberData, phone: numberData.number, phoneError: '' });
}
