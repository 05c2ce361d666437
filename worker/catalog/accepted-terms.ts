import type { Market } from './rules/markets.ts';

/** The text beside the button, stored with the purchase as evidence. */
export interface Terms {
  /** Line by line, the button's label last. */
  text: string;
  /** The page's version of the text; null if the page sent none, then `text` is the current one. */
  version: string | null;
  language: string;
  market: Market['id'];
  /** IANA name of the zone of the days in the text. */
  timeZone: string;
  at: number;
}
