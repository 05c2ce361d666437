import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { colourRules, findAccessibilityFaults } from './accessibility.ts';
import { type Expected, errorsOf, type Watch } from './console-and-network-errors.ts';
import type { TestServer } from './test-server.ts';

let visitors = 0;

/** A visitor with their own browser context, on a phone. */
export class Visit {
  readonly page: Page;
  /** Unique per visitor. */
  readonly email = `visitor-${process.pid}-${++visitors}@example.com`;
  private readonly server: TestServer;
  private readonly seen: Watch;

  constructor(page: Page, server: TestServer, seen: Watch) {
    this.page = page;
    this.server = server;
    this.seen = seen;
  }

  /** Resolves when the page and its async loader have loaded: an earlier submit posts natively. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(this.server.url + path);
  }

  /** The screen's main button. */
  get button(): Locator {
    return this.page.locator('#continue-button');
  }

  get heading(): Locator {
    return this.page.locator('h1').filter({ visible: true });
  }

  sees = (text: string | RegExp): Promise<void> => this.page.getByText(text).first().waitFor();

  /** The main heading without its hidden alternatives. */
  async title(): Promise<string | undefined> {
    const [shown] = await this.heading.allInnerTexts();
    return shown;
  }

  tap(name: string | RegExp): Promise<void> {
    return this.page
      .getByRole('button', { name })
      .or(this.page.getByRole('link', { name }))
      .click();
  }

  waitLive(island: string): Promise<void> {
    return this.page.locator(`x-island[name=${island}][live]`).waitFor({ state: 'attached' });
  }

  /** Waits until a screen is shown at its URL. */
  async arriveAt(screen: string, query = ''): Promise<void> {
    await this.page
      .locator(`main[data-screen=${screen}]`)
      .waitFor()
      .catch(async (cause) => {
        const shown = await this.page.locator('body').textContent();
        throw new Error(`not at ${screen}, but at ${this.page.url()}:\n${shown}`, { cause });
      });
    await this.page.waitForURL(({ href }) => href === `${this.server.url}/${screen}${query}`, {
      waitUntil: 'commit',
    });
  }

  /** The page title, and whether the heading has focus. */
  async focus(): Promise<{ title: string; onHeading: boolean }> {
    const onHeading = await this.heading.evaluate((h1) => document.activeElement === h1);
    return { title: await this.page.title(), onHeading };
  }

  async enterPhone(number: string): Promise<void> {
    await this.page.locator('#phone').fill(number);
    await this.button.click();
  }

  async giveEmail(email = this.email): Promise<void> {
    await this.page.locator('#email').fill(email);
    await this.button.click();
  }

  /** The same visitor in a second tab at the same URL. */
  async inNewTab(): Promise<Visit> {
    const opened = this.page.context().waitForEvent('page');
    await this.page.evaluate(() => void window.open(location.href));
    return new Visit(await opened, this.server, this.seen);
  }

  /** Waits for the toast and returns its text, in one step: it closes after 3 s. */
  async toast(): Promise<string> {
    const text = await this.page.waitForFunction(() => {
      const toast = document.querySelector('[data-late][data-open]');
      return toast?.checkVisibility() && toast.querySelector('p')?.textContent;
    });
    return String(await text.jsonValue());
  }

  /** Waits for the error of a failed payment on its form, and returns it. */
  async reason(): Promise<string | null> {
    const reason = this.page.locator('form .notice [role=alert]');
    await reason.waitFor();
    return reason.textContent();
  }

  /** Declares an expected error response. */
  expects(url: RegExp, answer: Expected['answer']): void {
    this.seen.expected.push({ url, answer });
  }

  /** Saves a screenshot to the folder `SHOTS`, if set. */
  async shoot(name: string): Promise<void> {
    const { SHOTS: folder } = process.env;
    if (folder)
      await this.page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
  }

  /**
   * Fails on axe violations of the current screen, in light mode; in the full run in dark mode too.
   * @param shot the name of a screenshot of it
   */
  async checkAccessibility(shot?: string): Promise<void> {
    if (process.env.FULL === '1') {
      await this.page.emulateMedia({ colorScheme: 'dark' });
      // The colour scheme changes colours only: see tokens.css.
      expect(
        await findAccessibilityFaults(this.page, colourRules),
        `axe on ${this.page.url()}, dark`,
      ).toEqual([]);
      await this.page.emulateMedia({ colorScheme: 'light' });
    }
    expect(await findAccessibilityFaults(this.page), `axe on ${this.page.url()}, light`).toEqual(
      [],
    );
    if (shot) await this.shoot(shot);
  }

  /** Fails if the visit had any fault. */
  check(): void {
    expect(errorsOf(this.seen).join('\n')).toBe('');
  }
}
