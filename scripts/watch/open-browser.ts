import { findChromium, openChromium } from '../chromium.ts';
import { openPage } from './page-snapshot.ts';
import { watch } from './watch-command.ts';

/** Watches a page over the network, with the Chromium of this machine if it has one. */
export async function watchLive(
  address: string,
  email: string | undefined,
  say: (line: string) => void,
): Promise<void> {
  const browser = findChromium() ? await openChromium() : null;
  const look = browser && ((at: string) => openPage(at, browser, email));
  try {
    await watch(address, { send: fetch, look, folder: 'dist/client', say });
  } finally {
    await browser?.close();
  }
}
