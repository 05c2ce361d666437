import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** Workers in a separate workerd, called without the development server in between. */
export interface IsolatedWorker {
  /** The direct port of each worker, by name. */
  ports: Record<string, number>;
  /** The process of workerd. */
  pid: number;
  server: Miniflare;
}

/** Processes of workerd that this process started. */
function runtimes(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const name = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return children
    .split(' ')
    .filter((pid) => pid && name(pid) === 'workerd')
    .map(Number);
}

/** Runs workerd without a log, as a Worker's machine does not print one. */
async function withoutLog<Result>(start: () => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const script = join(folder, 'workerd');
  const runtime = resolve('node_modules/.bin/workerd');
  writeFileSync(script, `#!/bin/sh\nexec '${runtime}' "$@" >/dev/null\n`);
  chmodSync(script, 0o755);
  process.env.MINIFLARE_WORKERD_PATH = script;
  try {
    return await start();
  } finally {
    delete process.env.MINIFLARE_WORKERD_PATH;
    rmSync(folder, { recursive: true });
  }
}

/**
 * Starts workers, all in memory.
 *
 * @param workers miniflare's options of each, with a name
 * @param inspected whether V8's inspector listens
 */
export async function alone(
  workers: readonly { name: string }[],
  inspected = false,
): Promise<IsolatedWorker> {
  const before = runtimes();
  // For a worker with assets the direct port would be that of the asset router.
  const sockets = workers.map(({ name }) => ({
    name: `${name}-door`,
    modules: true,
    script: 'export default {}',
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0, serviceName: name }],
  }));
  const here = { host: '127.0.0.1', port: 0, ...(inspected && { inspectorPort: 0 }) };
  const options = { ...here, workers: [...workers, ...sockets] };
  // Wrangler's option types are older than miniflare's.
  const server = new Miniflare(convertV4MiniflareOptions(options as never));
  await withoutLog(() => server.ready);
  const ports = workers.map(async ({ name }) => {
    const { port } = await server.unsafeGetDirectURL(`${name}-door`);
    return [name, Number(port)] as const;
  });
  const pid = runtimes().find((one) => !before.includes(one)) ?? 0;
  return { ports: Object.fromEntries(await Promise.all(ports)), pid, server };
}
