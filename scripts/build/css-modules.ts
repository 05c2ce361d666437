import type { CSSOptions } from 'vite';

/** Class names follow the file's name in all three builds, so that they agree without a hand-over. */
export const cssModules: CSSOptions = {
  transformer: 'lightningcss',
  lightningcss: {
    cssModules: { pattern: '[name]-[local]' },
    targets: { safari: (15 << 16) | (4 << 8), chrome: 99 << 16 },
  },
};
