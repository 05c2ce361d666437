import type { Env } from '../platform/env.ts';
import { reasonOf } from '../platform/log.ts';

/** What this isolate has read, and when a read failed; both by path, bounded by our files. */
const contents = new Map<string, unknown>();
const failedAt = new Map<string, number>();

const retryAfterMs = 10_000;
/** A page waits no longer. */
const timeoutMs = 1000;

/** @param report is called once until the file is read @returns null if it cannot be read */
export async function readAsset<Content>(
  path: string,
  { ASSETS }: Pick<Env, 'ASSETS'>,
  report: (reason: string) => void,
): Promise<Content | null> {
  if (contents.has(path)) return contents.get(path) as Content;
  if (Date.now() - (failedAt.get(path) ?? 0) < retryAfterMs) return null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await ASSETS.fetch(new Request(`https://assets${path}`, { signal }));
    if (!response.ok) throw new RangeError(`status ${response.status}`);
    const content: Content = await response.json();
    contents.set(path, content);
    failedAt.delete(path);
    return content;
  } catch (error) {
    if (!failedAt.has(path)) report(reasonOf(error));
    failedAt.set(path, Date.now());
    return null;
  }
}
