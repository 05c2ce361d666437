import type { Plugin } from 'vite';

const inventory = /worker\/http\/(?:script-inventory|ad-network-hosts)\.ts$/;
const reasons = /^ {4}(?:why|published|integrity):.*\n(?: {6}.*\n)*/gm;

/** The Worker builds policies from the hosts; the reasons for them are for readers. */
export const withoutReasons = (code: string): string => code.replace(reasons, '');

export const inventoryParts: Plugin = {
  name: 'inventory-parts',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  transform: (code, id) => (inventory.test(id) ? withoutReasons(code) : null),
};
