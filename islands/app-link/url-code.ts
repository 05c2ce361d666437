/** The code in the address's fragment, which no server sees; empty when there is none. */
export const codeInUrl = (): string => /^#([\w-]{1,100})$/.exec(location.hash)?.[1] ?? '';

/** Puts another code into the address, or none, without a history entry. */
export function putCodeInUrl(code: string): void {
  const address = location.pathname + location.search + (code && `#${code}`);
  history.replaceState(history.state, '', address);
}

/**
 * Tells the code in the address now, and each one that takes its place while the page stays.
 *
 * @returns what ends it
 */
export function watchUrlCode(take: (code: string) => void): () => void {
  const tell = () => take(codeInUrl());
  tell();
  addEventListener('hashchange', tell);
  return () => removeEventListener('hashchange', tell);
}
