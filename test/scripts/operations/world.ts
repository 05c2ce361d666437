import type { Site } from '../../../scripts/operations/admin-client.ts';
import type { Context } from '../../../scripts/operations/context.ts';

type Reply = unknown | Error;

/**
 * A world in memory for a command: a site that gives these replies one after the other, an error of
 * which is thrown.
 */
export function world(...replies: Reply[]) {
  const asked: [path: string, body?: object][] = [];
  const said: string[] = [];
  const waits: number[] = [];
  const answer = async <T>(path: string, body?: object): Promise<T> => {
    asked.push(body ? [path, body] : [path]);
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return reply as T;
  };
  const site: Site = { get: (path) => answer(path), post: (path, body) => answer(path, body) };
  const context: Context = {
    site,
    say: (line) => void said.push(line),
    wait: async (ms) => void waits.push(ms),
  };
  return { context, asked, said, waits };
}
