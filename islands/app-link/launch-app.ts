/** How long to wait for the app before opening the store. */
const timeoutMs = 1500;

/**
 * Opens the app by its URL scheme with the code in the fragment. If the page is still visible after
 * the timeout, opens the store.
 *
 * @param store address; empty for none
 */
export function launchApp(scheme: string, code: string, store: string): void {
  location.href = `${scheme}://d#${code}`;
  setTimeout(() => {
    if (store && document.visibilityState === 'visible') location.href = store;
  }, timeoutMs);
}
