/** The code in a fragment; empty for none. Mail scanners encode the `#`, and add punctuation and parameters. */
export const codeIn = (fragment: string): string =>
  /^#(?:%(?:25)*23|35;|[#/!\s])*([\w-]{1,100})(?![\w-])/.exec(fragment)?.[1] ?? '';

/** The code in the URL's fragment, which is never sent to a server. */
export const codeInUrl = (): string => codeIn(location.hash);

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
