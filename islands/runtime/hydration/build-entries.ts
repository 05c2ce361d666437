/**
 * Makes the build emit one chunk per island; the loader finds its address in the HTML. The
 * assignment prevents tree shaking. This file is not shipped.
 */
Object.assign(globalThis, { islands: import.meta.glob('../../*.tsx') });
