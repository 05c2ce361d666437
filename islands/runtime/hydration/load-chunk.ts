import { stayed } from '../navigation/stayed.ts';
import { reportError } from '../tracking/report-error.ts';
import { reloadOnce } from './restore-form-values.ts';

/** Shows the error to the visitor; set by `first-touch.ts`. */
export const failure = { show(): void {} };

type Importer<T> = string | (() => Promise<T>);

const timeoutMs = 120_000;
const alreadyReported = null;
const loading = new Map<string, Promise<unknown>>();

const addressOf = (importer: Importer<unknown>) =>
  typeof importer === 'string' ? importer : /["'`](\.[^"'`]+)/.exec(String(importer))?.[1];

/**
 * Retries a failure once, then shows a toast. A chunk that a deploy removed (404) reloads the page once. A load that
 * ends because the page is left is no failure.
 */
export function loadChunk<T>(
  id: string,
  importer: Importer<T>,
  urgent = false,
  needed?: Promise<unknown>,
): Promise<T> {
  const known = loading.get(id) as Promise<T> | undefined;
  if (known) return known;
  const address = addressOf(importer);
  needed?.catch(() => {}); // It is awaited below, after the fetch.
  const attempt = async (isUrgent: boolean, cache?: RequestCache): Promise<T> => {
    try {
      if (address) {
        const response = await fetch(new URL(address, import.meta.url), {
          priority: isUrgent ? 'high' : 'low',
          cache,
          signal: AbortSignal.timeout?.(timeoutMs),
        });
        await response.arrayBuffer();
        if (!response.ok) throw response.status === 404 ? 'missing' : 'error';
      }
      await needed;
      return await (typeof importer === 'string'
        ? import(/* @vite-ignore */ importer)
        : importer());
    } catch (reason) {
      // A status, or a failure of a needed chunk, does not come from leaving the page.
      if ((reason as Error | null)?.name) await stayed();
      throw reason;
    }
  };
  const loaded = attempt(urgent)
    .catch((reason) => {
      if (reason === alreadyReported) throw alreadyReported;
      if (reason === 'missing' && reloadOnce()) return new Promise<T>(() => {});
      // Bypasses caches that may hold the first failed response.
      return attempt(true, 'reload');
    })
    .catch((reason) => {
      loading.delete(id);
      if (reason === alreadyReported) throw alreadyReported;
      const type =
        reason === 'missing' ? reason : reason.name === 'TimeoutError' ? 'timeout' : 'error';
      reportError('chunk_failed', { message: `Loading chunk ${id} failed`, type });
      // Nobody misses what only counts.
      if (id !== 'visit') failure.show();
      throw alreadyReported;
    });
  loading.set(id, loaded);
  return loaded;
}
