import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

const maxResults = 500;

/** Caches handlers by path: Hono's fast router does not support a parameter beside fixed names (`/:screen`). */
export class RememberingRouter<Handler> implements Router<Handler> {
  readonly name = 'RememberingRouter';
  readonly #routes = new TrieRouter<Handler>();
  readonly #results = new Map<string, Result<Handler>>();

  add(method: string, path: string, handler: Handler): void {
    this.#routes.add(method, path, handler);
  }

  match(method: string, path: string): Result<Handler> {
    const key = `${method} ${path}`;
    const known = this.#results.get(key);
    if (known) return known;
    const result = this.#routes.match(method, path);
    if (this.#results.size >= maxResults) this.#results.clear();
    this.#results.set(key, result);
    return result;
  }
}
