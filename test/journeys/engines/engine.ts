import { expect } from 'vitest';
import { pollTimeout } from '../../poll-timeout.ts';

/** A visible element: a CSS selector, a part of its text, and the title of its frame. */
export interface Target {
  css: string;
  text?: string;
  frame?: string;
}

/** A browser under test, driven by one protocol. */
export interface Driver {
  open(url: string): Promise<void>;
  /** Runs a function body in the page and returns its JSON value. */
  run(body: string): Promise<unknown>;
  /** Clicks with a real pointer; false if the element is missing or not visible yet. */
  click(target: Target): Promise<boolean>;
  /** Types with real keys; false in the same case. */
  type(target: Target, text: string): Promise<boolean>;
  /** Errors in the browser's console so far. */
  errors(): string[];
  close(): Promise<void>;
}

/** Body of a function that returns the visible element of a document, else null. */
export const finder = ({ css, text = '' }: Target, root = 'document') => `
  const shown = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible';
  const fits = (one) => one.textContent.includes(${JSON.stringify(text)});
  const found = [...${root}.querySelectorAll(${JSON.stringify(css)})].find((one) => shown(one) && fits(one));
  found?.scrollIntoView({ block: 'center', behavior: 'instant' });
  return found ?? null;`;

/** A visitor's actions in any browser. Every step waits until it is possible. */
export class Visitor {
  readonly driver: Driver;
  private readonly origin: string;

  constructor(driver: Driver, origin: string) {
    this.driver = driver;
    this.origin = origin;
  }

  open = (path: string) => this.driver.open(this.origin + path);

  private until(what: string, condition: () => Promise<boolean>): Promise<void> {
    return expect.poll(condition, { ...pollTimeout, message: what }).toBe(true);
  }

  tap(css: string, text?: string, frame?: string): Promise<void> {
    const target = { css, text, frame };
    return this.until(`tap ${css} ${text ?? ''}`, () => this.driver.click(target));
  }

  type(css: string, text: string, frame?: string): Promise<void> {
    return this.until(`type into ${css}`, () => this.driver.type({ css, frame }, text));
  }

  holds(what: string, body: string): Promise<void> {
    return this.until(what, async () => (await this.driver.run(body).catch(() => false)) === true);
  }

  sees = (text: string) =>
    this.holds(`see "${text}"`, `return document.body.innerText.includes(${JSON.stringify(text)})`);

  arriveAt = (screen: string) =>
    this.holds(
      `arrive at ${screen}`,
      `return document.querySelector('main')?.dataset.screen === ${JSON.stringify(screen)} && location.pathname === ${JSON.stringify(`/${screen}`)}`,
    );

  waitLive = (island: string) =>
    this.holds(
      `${island} is live`,
      `return document.querySelector('x-island[name=${island}][live]') !== null`,
    );
}
