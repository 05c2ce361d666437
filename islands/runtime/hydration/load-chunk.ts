import { reportError } from '../tracking/report-error.ts';
import { showChunkError } from './chunk-error-toast.ts';
import { reloadOnce } from './restore-form-values.ts';

/** A chunk's address, or what imports it. */
type Importer<T> = string | (() => Promise<T>);
type Failure = 'missing' | 'timeout' | 'error';

const limit = 120_000;
/** What a chunk rejects with: its failure, or that of the chunk it needs, is told already. */
export const told = null;
const loading = new Map<string, Promise<unknown>>();

/** Where the build put the chunk that an importer asks for. */
const addressOf = (importer: Importer<unknown>) =>
  typeof importer === 'string' ? importer : /["'`](\.[^"'`]+)/.exec(String(importer))?.[1];

/**
 * Fetches the bytes before they are imported: in some browsers an import that failed is final for
 * its address, and it says neither why nor which chunk.
 */
async function verify(
  address: string,
  urgent: boolean,
  cache?: RequestCache,
): Promise<Failure | undefined> {
  try {
    const response = await fetch(new URL(address, import.meta.url), {
      priority: urgent ? 'high' : 'low',
      cache,
      signal: AbortSignal.timeout?.(limit),
    });
    await response.arrayBuffer();
    if (!response.ok) return response.status === 404 ? 'missing' : 'error';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'timeout' : 'error';
  }
}

/**
 * Loads a code chunk, once however often it is asked for, and runs it after the chunk it needs.
 * A failure is retried once; then it is reported with its type, a toast says so, and the promise
 * rejects. A chunk that a deploy removed reloads the page once instead.
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
  needed?.catch(() => {});
  const attempt = async (hurry: boolean, cache?: RequestCache) => {
    const failure = address && (await verify(address, hurry, cache));
    if (failure) throw failure;
    await needed;
    return typeof importer === 'string' ? import(/* @vite-ignore */ importer) : importer();
  };
  const loaded = attempt(urgent)
    .catch((failure) => {
      if (failure === told) throw told;
      if (failure === 'missing' && reloadOnce()) return new Promise<T>(() => {});
      // Past what a browser, or who stands between, has kept of the first answer.
      return attempt(true, 'reload');
    })
    .catch((failure) => {
      loading.delete(id);
      if (failure === told) throw told;
      const type: Failure = failure === 'missing' || failure === 'timeout' ? failure : 'error';
      reportError('chunk_failed', { message: `Loading chunk ${id} failed`, type });
      showChunkError();
      throw told;
    });
  loading.set(id, loaded);
  return loaded;
}
