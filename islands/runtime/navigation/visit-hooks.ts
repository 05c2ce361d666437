import { pageData } from '../hydration/page-data.ts';

/** What happened on which screen. */
export interface Moment {
  page: DOMStringMap;
  /** Ms since 1970. */
  at: number;
}

/** Moments before tracking was loaded, each with the call of its hook. */
export const missed: (Moment & { call: () => void })[] = [];

type Hook<Value> = (value: Value) => void;

const remembers =
  <Value>(hook: () => Hook<Value>): Hook<Value> =>
  (value) =>
    void missed.push({ page: pageData(), at: Date.now(), call: () => hook()(value) });

interface Hooks {
  tracked(): void;
  /** The document's first screen, by its path. */
  opened: Hook<string>;
  clicked: Hook<Element>;
  /** A Continue form is handled without a submit event. */
  continued: Hook<Element>;
  /** The question screen is left; answers by question. */
  answered: Hook<Record<string, string>>;
  leaving(): void;
  /** Another document follows. */
  unloading(): void;
  /** A screen was swapped in and painted, at ms of this document. */
  shown: Hook<number>;
  removed: Hook<Element>;
}

/** Callbacks of tracking and React for moments of a visit, set once they are loaded. */
export const navigationHooks: Hooks = {
  tracked() {},
  opened: remembers(() => navigationHooks.opened),
  clicked: remembers(() => navigationHooks.clicked),
  continued: remembers(() => navigationHooks.continued),
  answered: remembers(() => navigationHooks.answered),
  leaving() {},
  unloading() {},
  shown: remembers(() => navigationHooks.shown),
  removed() {},
};
