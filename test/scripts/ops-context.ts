import type { AdminContext, Site } from '../../scripts/ops/admin-client.ts';

/** A context whose site returns these replies in order; an error is thrown. */
export function opsContext(...replies: unknown[]) {
  const requests: [path: string, body?: object][] = [];
  const printed: string[] = [];
  const waits: number[] = [];
  const reply = async <T>(path: string, body?: object): Promise<T> => {
    requests.push(body ? [path, body] : [path]);
    const next = replies.shift();
    if (next instanceof Error) throw next;
    return next as T;
  };
  const site: Site = { get: (path) => reply(path), post: (path, body) => reply(path, body) };
  const context: AdminContext = {
    site,
    print: (line) => void printed.push(line),
    wait: async (ms) => void waits.push(ms),
  };
  return { context, requests, printed, waits };
}
