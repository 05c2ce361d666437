import { vi } from 'vitest';

/** The browser features available to the code under test. */
export interface Fake {
  local?: Map<string, string>;
  session?: Map<string, string>;
  /** `blocked`: accessing a storage throws; `full`: writing does. */
  storage?: 'blocked' | 'full';
  /** `data-` attributes of `<main>`. */
  main?: Record<string, string>;
  cookie?: string;
}

/** As in a browser, the keys are own properties of the storage, and the methods are not. */
const storageOf = (values: Map<string, string>, full: boolean) =>
  Object.assign(Object.create(methodsOf(values, full)), Object.fromEntries(values));

const methodsOf = (values: Map<string, string>, full: boolean) => ({
  getItem: (key: string) => values.get(key) ?? null,
  setItem(key: string, value: string) {
    if (full) throw new DOMException('full', 'QuotaExceededError');
    values.set(key, value);
  },
  removeItem: (key: string) => void values.delete(key),
});

/** Replaces window and document, with slices, cookies and `<main>`. */
export function fakeBrowser({ local, session, storage, main = {}, cookie = '' }: Fake = {}) {
  const window = {
    name: '',
    get localStorage() {
      if (storage === 'blocked') throw new DOMException('blocked', 'SecurityError');
      return storageOf(local ?? new Map(), storage === 'full');
    },
    get sessionStorage() {
      if (storage === 'blocked') throw new DOMException('blocked', 'SecurityError');
      return storageOf(session ?? new Map(), storage === 'full');
    },
  };
  const document = {
    cookie,
    referrer: '',
    querySelector: (wanted: string) => (wanted === 'main' ? { dataset: main } : null),
  };
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', document);
  if (!('addEventListener' in globalThis)) vi.stubGlobal('addEventListener', () => {});
  if (!('location' in globalThis)) vi.stubGlobal('location', { pathname: '/', search: '' });
  return { window, document };
}
