import { updateSlice } from '../runtime/storage/update-slice.ts';
import type { NumberData } from '../stores/map.ts';

export function setPhone(phone: string, country: string): void {
  updateSlice('map', { phone, country, phoneError: '', numberData: null, initCoords: null });
}

export function setNumberData(numberData: NumberData): void {
  updateSlice('map', { numberData, phone: numberData.number, phoneError: '' });
}
