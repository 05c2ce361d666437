import { setTimeout as pause } from 'node:timers/promises';
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
  /** Types with real keys; false in the same case. @param pace ms from key to key */
  type(target: Target, text: string, pace?: number): Promise<boolean>;
  /** Errors in the browser's console so far. */
  errors(): string[];
  close(): Promise<void>;
}

/** Body of a function that returns the visible element of a document, else null. */
export const finder = ({ css, text = '' }: Target) => `
  const shown = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible';
  const fits = (one) => one.textContent.includes(${JSON.stringify(text)});
  const found = [...document.querySelectorAll(${JSON.stringify(css)})].find((one) => shown(one) && fits(one));
  found?.scrollIntoView({ block: 'center', behavior: 'instant' });
  return found ?? null;`;

/** Resolves with the first value of `find` that is not undefined, null or false. @throws {Error} that names `what` */
export async function until<Found>(
  what: string,
  find: () => Promise<Found | undefined | null | false>,
): Promise<Found> {
  for (const end = Date.now() + pollTimeout.timeout; Date.now() < end; await pause(20)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`never happened: ${what}`);
}

/** A visitor's actions in any browser. Every step waits until it is possible. */
export class Visitor {
  readonly driver: Driver;
  private readonly origin: string;

  constructor(driver: Driver, origin: string) {
    this.driver = driver;
    this.origin = origin;
  }

  open = (path: string) => this.driver.open(this.origin + path);

  async tap(css: string, text?: string, frame?: string): Promise<void> {
    const target = { css, text, frame };
    await until(`tap ${css} ${text ?? ''}`, () => this.driver.click(target));
  }

  async type(css: string, text: string, frame?: string, pace?: number): Promise<void> {
    await until(`type into ${css}`, () => this.driver.type({ css, frame }, text, pace));
  }

  async holds(what: string, body: string): Promise<void> {
    await until(what, async () => (await this.driver.run(body).catch(() => false)) === true);
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
      `${island} is live, with the HTML of the server`,
      `return document.querySelector('x-island[name=${island}][live]:not([rerendered])') !== null`,
    );
}
