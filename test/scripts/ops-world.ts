import type { Context, Site } from '../../scripts/ops/admin-client.ts';

/** A context whose site returns these replies in order; an error is thrown. */
export function world(...replies: unknown[]) {
  const asked: [path: string, body?: object][] = [];
  const said: string[] = [];
  const waits: number[] = [];
  const reply = async <T>(path: string, body?: object): Promise<T> => {
    asked.push(body ? [path, body] : [path]);
    const next = replies.shift();
    if (next instanceof Error) throw next;
    return next as T;
  };
  const site: Site = { get: (path) => reply(path), post: (path, body) => reply(path, body) };
  const context: Context = {
    site,
    print: (line) => void said.push(line),
    wait: async (ms) => void waits.push(ms),
  };
  return { context, asked, said, waits };
}
