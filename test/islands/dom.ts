import { vi } from 'vitest';
import { matches } from './match-selector.ts';

type Attributes = Record<string, string | boolean>;

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The parts of an element that the runtime uses. */
export class FakeElement {
  [name: string]: unknown;
  children: FakeElement[] = [];
  parent: FakeElement | null = null;
  hidden = false;
  style: Record<string, string> = {};
  readonly #attributes = new Map<string, string>();
  readonly localName: string;

  constructor(localName: string, attributes: Attributes = {}) {
    this.localName = localName;
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false) this.#attributes.set(name, value === true ? '' : value);
    }
  }

  get id() {
    return this.getAttribute('id') ?? '';
  }

  set id(id: string) {
    this.setAttribute('id', id);
  }

  get dataset() {
    const attributes = this.#attributes;
    const at = (key: string | symbol) => `data-${kebab(String(key))}`;
    return new Proxy<Record<string, string>>(
      {},
      {
        get: (_, key) => attributes.get(at(key)) as string,
        set: (_, key, value) => Boolean(attributes.set(at(key), String(value))),
        deleteProperty: (_, key) => attributes.delete(at(key)) || true,
        ownKeys: () =>
          [...attributes.keys()].flatMap((key) =>
            key.startsWith('data-') ? [camel(key.slice(5))] : [],
          ),
        getOwnPropertyDescriptor: (_, key) => ({
          enumerable: true,
          configurable: true,
          value: attributes.get(at(key)),
        }),
      },
    );
  }

  get firstElementChild(): FakeElement | null {
    return this.children[0] ?? null;
  }

  get isConnected(): boolean {
    return this.parent ? this.parent.isConnected : this.localName === 'html';
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name: string, value: string) {
    this.#attributes.set(name, value);
  }

  removeAttribute(name: string) {
    this.#attributes.delete(name);
  }

  toggleAttribute(name: string, on: boolean) {
    if (on) this.setAttribute(name, '');
    else this.removeAttribute(name);
  }

  matches(selector: string): boolean {
    return matches(this, selector);
  }

  closest(selector: string): FakeElement | null {
    return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null);
  }

  querySelectorAll(selector: string): FakeElement[] {
    return this.children.flatMap((child) => [
      ...(child.matches(selector) ? [child] : []),
      ...child.querySelectorAll(selector),
    ]);
  }

  querySelector(selector: string): FakeElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  contains(other: FakeElement | null): boolean {
    return other !== null && (other === this || this.contains(other.parent));
  }

  append(...children: FakeElement[]) {
    for (const child of children) {
      child.remove();
      child.parent = this;
      this.children.push(child);
    }
  }

  before(element: FakeElement) {
    element.parent = this.parent;
    this.parent?.children.splice(this.parent.children.indexOf(this), 0, element);
  }

  cloneNode(): FakeElement {
    const copy = new FakeElement(this.localName, Object.fromEntries(this.#attributes));
    return Object.assign(copy, { textContent: this.textContent });
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this);
    this.parent = null;
  }
}

/** An element with children. */
export function element(
  localName: string,
  attributes: Attributes = {},
  ...children: FakeElement[]
): FakeElement {
  const created = new FakeElement(localName, attributes);
  created.append(...children);
  return created;
}

/** A document with `<main>`, not global yet. */
export function documentWith(main: FakeElement, root: Attributes = {}, ...head: FakeElement[]) {
  const html = element('html', root, element('head', {}, ...head), element('body', {}, main));
  return {
    title: '',
    cookie: '',
    referrer: '',
    readyState: 'complete',
    visibilityState: 'visible',
    documentElement: html,
    get head() {
      return html.children[0] as FakeElement;
    },
    get body() {
      return html.children[1] as FakeElement;
    },
    createElement: (name: string) => element(name),
    getElementById: (id: string) => html.querySelector(`#${id}`),
    querySelector: (selector: string) => html.querySelector(selector),
    querySelectorAll: (selector: string) => html.querySelectorAll(selector),
  };
}

type Listener = (event: object) => void;

/**
 * Makes a document global, with history, location and listeners.
 *
 * @returns `fire`, which runs the listeners of window and document
 */
export function openPage(document: ReturnType<typeof documentWith>, url = 'https://a.example/') {
  const { host, hostname, origin, pathname, search, hash, href } = new URL(url);
  const location = Object.assign(
    { host, hostname, origin, pathname, search, hash, href },
    { replace: vi.fn(), reload: vi.fn() },
  );
  const history = {
    state: null as Record<string, unknown> | null,
    replaceState: vi.fn((state: Record<string, unknown>) => {
      history.state = state;
    }),
    pushState: vi.fn((state: Record<string, unknown>) => {
      history.state = state;
    }),
    go: vi.fn(),
  };
  const listeners: [type: string, listener: Listener][] = [];
  const addEventListener = (type: string, listener: Listener) =>
    void listeners.push([type, listener]);
  const window = { name: '', addEventListener };
  Object.assign(document, { addEventListener });
  for (const [name, value] of Object.entries({ document, window, location, history })) {
    vi.stubGlobal(name, value);
  }
  vi.stubGlobal('addEventListener', addEventListener);
  vi.stubGlobal('scrollTo', vi.fn());
  const observed: ((changes: { target: object }[]) => void)[] = [];
  class Observer {
    constructor(changed: (typeof observed)[number]) {
      observed.push(changed);
    }
    observe() {}
  }
  vi.stubGlobal('MutationObserver', Observer);
  /** Notifies observers of an element's changed attribute. */
  const mutate = (target: object) => {
    for (const changed of observed) changed([{ target }]);
  };
  /** Runs the listeners of an event, and returns it. */
  function fire(type: string, fields: object = {}) {
    const event = {
      defaultPrevented: false,
      preventDefault() {
        event.defaultPrevented = true;
      },
      stopPropagation: vi.fn(),
      ...fields,
    };
    for (const [name, listener] of listeners) if (name === type) listener(event);
    return event;
  }
  return { document, window, location, history, fire, mutate };
}
