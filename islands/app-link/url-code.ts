/** The code in the URL's fragment, which is never sent to a server; empty for none. */
export const codeInUrl = (): string => /^#([\w-]{1,100})$/.exec(location.hash)?.[1] ?? '';

export function putCodeInUrl(code: string): void {
  const address = location.pathname + location.search + (code && `#${code}`);
  history.replaceState(history.state, '', address);
}

export function watchUrlCode(onCode: (code: string) => void): () => void {
  const report = () => onCode(codeInUrl());
  report();
  addEventListener('hashchange', report);
  return () => removeEventListener('hashchange', report);
}
