/** How long the app may take to come before the store is asked, in ms. */
const patience = 1500;

/**
 * Opens the app by its own scheme, the code in the fragment. When no app took the page's place, the
 * store comes.
 *
 * @param store address; empty when there is none
 */
export function launchApp(scheme: string, code: string, store: string): void {
  location.href = `${scheme}://d#${code}`;
  setTimeout(() => {
    if (store && document.visibilityState === 'visible') location.href = store;
  }, patience);
}
