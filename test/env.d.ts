declare module 'cloudflare:test' {
  // An import statement with a relative path would silently become "any" here.
  type Env = import('../worker/platform/env.ts').Env;
  type D1Migration = import('@cloudflare/vitest-plugin').D1Migration;

  export const env: Env & {
    MIGRATIONS: D1Migration[];
    ANALYTICS_MIGRATIONS: D1Migration[];
    FULL: boolean;
    SLOW: boolean;
  };
  export function listDurableObjectIds(namespace: unknown): Promise<unknown[]>;
  export function reset(): Promise<void>;
  export function applyD1Migrations(db: Env['DB'], migrations: D1Migration[]): Promise<void>;
  type Branded = import('@cloudflare/workers-types').Rpc.DurableObjectBranded;
  type Stub<T extends Branded> = import('@cloudflare/workers-types').DurableObjectStub<T>;
  export function runInDurableObject<T extends Branded, R>(
    stub: Stub<T>,
    callback: (instance: T, state: DurableObjectState) => R | Promise<R>,
  ): Promise<R>;
  export function createExecutionContext(): ExecutionContext;
  export function waitOnExecutionContext(context: ExecutionContext): Promise<void>;
  export function runDurableObjectAlarm(stub: unknown): Promise<boolean>;
  export function createMessageBatch<Body>(
    queue: string,
    messages: { id: string; timestamp: Date; attempts: number; body: Body }[],
  ): MessageBatch<Body>;
  export function getQueueResult(
    batch: MessageBatch,
    context: ExecutionContext,
  ): Promise<{
    outcome: string;
    ackAll: boolean;
    retryMessages: { msgId: string }[];
  }>;
  type MessageBatch<Body = unknown> = import('@cloudflare/workers-types').MessageBatch<Body>;
  type ExecutionContext = import('@cloudflare/workers-types').ExecutionContext;
  type DurableObjectState = import('@cloudflare/workers-types').DurableObjectState;
}

declare const HTMLRewriter: typeof import('@cloudflare/workers-types').HTMLRewriter;
