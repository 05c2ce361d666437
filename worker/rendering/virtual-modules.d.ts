declare module 'cloudflare:workers' {
  import type { CloudflareWorkersModule } from '@cloudflare/workers-types';

  export abstract class DurableObject<
    Env = unknown,
  > extends CloudflareWorkersModule.DurableObject<Env> {}
}

declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}

declare module 'virtual:languages' {
  interface BuiltLanguage {
    /** In the language itself, such as `Deutsch`. */
    name: string;
    direction: 'ltr' | 'rtl';
    /** File paths; English has none. */
    files: { texts?: string; pages?: string };
  }
  /** By language tag, such as `pt-BR`. */
  const languages: Record<string, BuiltLanguage>;
  export default languages;
}

declare module 'virtual:street-map-library' {
  /** Path of MapLibre's main file. */
  const path: string;
  export default path;
}

declare module 'virtual:stylesheets' {
  export const styles: import('../rendering/style-rule.ts').PackedStylesheets;
}

declare module 'virtual:client' {
  export const loader: string;
  export const build: string;
  export const chunks: Record<string, string>;
  /** By language: its font family, and the path of the script with the font. */
  export const fonts: Record<string, { family: 'Inter' | 'Cairo'; script: string }>;
  /** Folder of the link preview images for other sites. */
  export const cards: string;
  /** The configuration that was live when this build was deployed, if any. */
  export const baked: Record<'config.json' | 'flows.json', string> | null;
}
