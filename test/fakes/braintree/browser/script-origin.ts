/**
 * A Braintree URL as this page reaches it: only the start command serves the fakes under `/fakes/<host>` of our own
 * origin.
 * @param here URL of the calling script
 */
export function reachableUrl(address: string, here: string): string {
  const [, prefix] = /^(https?:\/\/[^/]+\/fakes)\//.exec(here) ?? [];
  return prefix ? address.replace(/^https:\/\/([^/:]+)(:443)?/, `${prefix}/$1`) : address;
}
