/**
 * An address of Braintree as this page reaches it: the start command serves the fakes under
 * `/fakes/<host>` of our own origin, and only there.
 *
 * @param here address of the script that asks
 */
export function reach(address: string, here: string): string {
  const [, prefix] = /^(https?:\/\/[^/]+\/fakes)\//.exec(here) ?? [];
  return prefix ? address.replace(/^https:\/\/([^/:]+)(:443)?/, `${prefix}/$1`) : address;
}
