declare module 'cloudflare:workers' {
  import type { CloudflareWorkersModule } from '@cloudflare/workers-types';

  export abstract class DurableObject<
    Env = unknown,
  > extends CloudflareWorkersModule.DurableObject<Env> {}
}

declare module 'virtual:client' {
  export const loader: string;
  export const build: string;
  /** CSS text by name of the screen kind, `landing`. */
  export const styles: Record<string, string>;
  export const chunks: Record<string, string>;
  /** By language: its font family, and the path of the script that holds it. */
  export const fonts: Record<string, { family: 'Inter' | 'Cairo'; script: string }>;
  /** The configuration that was live when this build was deployed, if any. */
  export const baked: Record<'config.json' | 'flows.json', string> | null;
}
