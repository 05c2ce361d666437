import { adsAllowed } from '../../stores/consent.ts';
import { readSlice, writeSlice } from '../storage/state-storage.ts';
import { attribution } from './attribution.ts';

/** A purchase as sent to pixels (specification, section 3). */
export interface PixelPurchase {
  /** Decimal, in major units. */
  price: number;
  currency: string;
  plan: string;
  sub_id: string;
  event_id: string;
  gclid?: string;
  gbraid?: string;
  wbraid?: string;
}

interface StoredPurchases {
  purchases?: PixelPurchase[];
  sent?: string[];
}

const slice = 'advertised';
const read = () => readSlice(slice) as StoredPurchases;
const key = (pixel: string, { event_id }: PixelPurchase) => `${pixel}.${event_id}`;

export function queuePixelPurchase(purchase: PixelPurchase): void {
  if (!adsAllowed()) return;
  const { purchases = [], sent } = read();
  if (purchases.some(({ event_id }) => event_id === purchase.event_id)) return;
  const { google_click_id: gclid, gbraid, wbraid } = attribution().user_data;
  writeSlice(slice, { purchases: [...purchases, { ...purchase, gclid, gbraid, wbraid }], sent });
}

export function takePendingPixelPurchases(pixel: string): PixelPurchase[] {
  const { purchases = [], sent = [] } = read();
  const unsent = purchases.filter((purchase) => !sent.includes(key(pixel, purchase)));
  if (unsent.length === 0) return [];
  writeSlice(slice, {
    purchases,
    sent: [...sent, ...unsent.map((purchase) => key(pixel, purchase))],
  });
  return unsent;
}
