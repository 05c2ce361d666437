/** The code in the address's fragment, which no server sees; empty when there is none. */
export const codeInAddress = (): string => /^#([\w-]{1,100})$/.exec(location.hash)?.[1] ?? '';

/** Puts another code into the address, or none, without a history entry. */
export function putCode(code: string): void {
  const address = location.pathname + location.search + (code && `#${code}`);
  history.replaceState(history.state, '', address);
}
