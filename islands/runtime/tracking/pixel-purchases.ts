import { $events } from '../../stores/events.ts';
import { adsAllowed } from '../storage/ads-allowed.ts';
import { readSlice, writeSlice } from '../storage/state-storage.ts';

/** A purchase as pixels tell it (specification, section 3). */
export interface PixelPurchase {
  /** Decimal, of the currency. */
  price: number;
  currency: string;
  plan: string;
  sub_id: string;
  event_id: string;
  gclid?: string;
}

interface Kept {
  purchases?: PixelPurchase[];
  /** `<pixel>.<event id>` of what was told. */
  told?: string[];
}

const slice = 'advertised';
const read = () => readSlice(slice) as Kept;
const key = (pixel: string, { event_id }: PixelPurchase) => `${pixel}.${event_id}`;

/** Keeps a purchase for the pixels of the next page that has them, if they may hear of it now. */
export function queuePixelPurchase(purchase: PixelPurchase): void {
  if (!adsAllowed()) return;
  const { purchases = [], told } = read();
  if (purchases.some(({ event_id }) => event_id === purchase.event_id)) return;
  const gclid = $events.get().analyticsData.google_click_id as string | undefined;
  writeSlice(slice, { purchases: [...purchases, { ...purchase, gclid }], told });
}

/** What a pixel has not been told yet. It counts as told from now on, in every tab. */
export function takePendingPixelPurchases(pixel: string): PixelPurchase[] {
  const { purchases = [], told = [] } = read();
  const news = purchases.filter((purchase) => !told.includes(key(pixel, purchase)));
  if (news.length === 0) return [];
  writeSlice(slice, { purchases, told: [...told, ...news.map((one) => key(pixel, one))] });
  return news;
}
