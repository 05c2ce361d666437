/** The code in the address's fragment, which no server sees; empty when there is none. */
export const codeInAddress = (): string => /^#([\w-]{1,100})$/.exec(location.hash)?.[1] ?? '';

/** Puts another code into the address, or none, without a history entry. */
export function putCode(code: string): void {
  const address = location.pathname + location.search + (code && `#${code}`);
  history.replaceState(history.state, '', address);
}

/**
 * Tells the code in the address now, and each one that takes its place while the page stays.
 *
 * @returns what ends it
 */
export function followCode(take: (code: string) => void): () => void {
  const tell = () => take(codeInAddress());
  tell();
  addEventListener('hashchange', tell);
  return () => removeEventListener('hashchange', tell);
}
