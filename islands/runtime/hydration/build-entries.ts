/**
 * One chunk an island, for the build alone: the loader finds an island's chunk in its HTML. The
 * assignment keeps the build from dropping them; this file itself is not shipped.
 */
Object.assign(globalThis, { islands: import.meta.glob('../../*.tsx') });
