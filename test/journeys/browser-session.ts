import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { barriers, ofColours } from './access.ts';
import { type Expected, faultsOf, type Watch } from './console-and-network-errors.ts';
import type { House } from './test-server.ts';

let visitors = 0;

/** One visitor with a browser of their own, on a phone. */
export class Visit {
  readonly page: Page;
  /** No other visitor's. */
  readonly email = `visitor-${process.pid}-${++visitors}@example.com`;
  private readonly house: House;
  private readonly seen: Watch;

  constructor(page: Page, house: House, seen: Watch) {
    this.page = page;
    this.house = house;
    this.seen = seen;
  }

  /** Opens an address of the funnel; resolves when the page's HTML is there. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(this.house.url + path, { waitUntil: 'domcontentloaded' });
  }

  /** The main button of the screen. */
  get button(): Locator {
    return this.page.locator('#continue-button');
  }

  get heading(): Locator {
    return this.page.locator('h1').filter({ visible: true });
  }

  sees = (text: string | RegExp): Promise<void> => this.page.getByText(text).first().waitFor();

  tap(name: string | RegExp): Promise<void> {
    return this.page
      .getByRole('button', { name })
      .or(this.page.getByRole('link', { name }))
      .click();
  }

  /** Waits until an island is hydrated. */
  waitLive(island: string): Promise<void> {
    return this.page.locator(`x-island[name=${island}][live]`).waitFor({ state: 'attached' });
  }

  /** Waits until a screen is shown and the address bar says so. */
  async arriveAt(screen: string, query = ''): Promise<void> {
    await this.page.locator(`main[data-screen=${screen}]`).waitFor();
    await this.page.waitForURL(({ href }) => href === `${this.house.url}/${screen}${query}`, {
      waitUntil: 'commit',
    });
  }

  /** Title, and whether the heading has the focus. */
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

  /** The same visitor in a second tab, opened from this one at the same address. */
  async inNewTab(): Promise<Visit> {
    const opened = this.page.context().waitForEvent('page');
    await this.page.evaluate(() => void window.open(location.href));
    return new Visit(await opened, this.house, this.seen);
  }

  /** Waits for the toast, and says what it says. */
  async toast(): Promise<string | null> {
    const toast = this.page.locator('[data-late][data-open]');
    await toast.waitFor();
    return toast.locator('p').textContent();
  }

  /** Says which answers with an error status this visit is about. */
  expects(url: RegExp, answer: Expected['answer']): void {
    this.seen.expected.push({ url, answer });
  }

  /** Keeps a picture of the screen in the folder `SHOTS`, when that is set. */
  async shoot(name: string): Promise<void> {
    const { SHOTS: folder } = process.env;
    if (folder)
      await this.page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
  }

  /** Fails on a barrier that axe finds on the screen as it is now, in light and dark. */
  async readsWell(): Promise<void> {
    await this.page.emulateMedia({ colorScheme: 'dark' });
    // The scheme changes colours and nothing else: see tokens.css.
    expect(await barriers(this.page, ofColours), `axe on ${this.page.url()}, dark`).toEqual([]);
    await this.page.emulateMedia({ colorScheme: 'light' });
    expect(await barriers(this.page), `axe on ${this.page.url()}, light`).toEqual([]);
  }

  /** Fails on anything that a visit must not show. */
  check(): void {
    expect(faultsOf(this.seen).join('\n')).toBe('');
  }
}
