import type { Browser } from 'playwright-core';
import { openChromium } from '../../scripts/chromium.ts';
import { type House, openHouse } from './test-server.ts';

let browser: Promise<Browser> | undefined;
/** Each request looks for newer documents, so that `configure` waits for nothing. */
export const eager = { CONFIG_SECONDS: '0' };

const houses = new Map<string, Promise<House>>();

/** The one browser of all files that a worker runs; another when that one is gone. */
export async function sharedBrowser(): Promise<Browser> {
  const open = await browser?.catch(() => undefined);
  if (open?.isConnected()) return open;
  browser = openChromium();
  return browser;
}

/**
 * The house of all files that a worker runs, with the variables of development and the built-in
 * documents. Its accounts and its outside world are older than the file that asks.
 */
export async function sharedHouse(country: string): Promise<House> {
  const known = await houses.get(country)?.catch(() => undefined);
  const opening = known ? Promise.resolve(known) : openHouse({ vars: eager, country });
  houses.set(country, opening);
  const house = await opening;
  await house.restore();
  return house;
}

/** Ends what was shared. */
export async function closeShared(): Promise<void> {
  const open = [browser, ...houses.values()].map((one) => one?.then((each) => each.close()));
  browser = undefined;
  houses.clear();
  await Promise.allSettled(open);
}
