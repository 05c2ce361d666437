import type { Browser, Page } from 'playwright-core';
import type { PageKind } from '../../worker/page-types.ts';
import { CommandError } from '../command-error.ts';
import { kindAt } from './expected-page-kind.ts';

/** A live page, as far as it is watched. */
export interface PageSnapshot {
  url: string;
  /** What it has to be, and what it says that it is. */
  kind: PageKind;
  claimed: string;
  headers: Headers;
  /** Addresses of the scripts that its HTML names, and what it holds inline. */
  named: string[];
  inline: string[];
  /** Addresses of the frames that its HTML holds. */
  frames: string[];
}

/** What stands between the name and the end of each tag of an element, in comments too: these can end early. */
const tags = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'gi'))].map(([, inner = '']) => inner);

const pair = /([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;

function attribute(tag: string, wanted: string): string | undefined {
  const found = [...tag.matchAll(pair)].find(([, name = '']) => name.toLowerCase() === wanted);
  return (found?.[2] ?? found?.[3] ?? found?.[4])?.replaceAll('&amp;', '&');
}

/** Reads a page as it comes from the network. @throws Refused when there is none of this product */
export async function readPage(address: string, send: typeof fetch): Promise<PageSnapshot> {
  const answer = await send(address, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  }).catch(() => {
    throw new CommandError(`${address} did not answer.`);
  });
  if (answer.status !== 200) throw new CommandError(`${address} answered ${answer.status}.`);
  const html = await answer.text();
  const main = tags(html, 'main')[0] ?? '';
  const screen = attribute(main, 'data-screen');
  if (!screen) throw new CommandError(`${address} is no page of this product.`);
  const absolute = (source: string) => new URL(source, address).href;
  const scripts = tags(html, 'script');
  const sources = (list: string[]) => list.flatMap((tag) => attribute(tag, 'src') ?? []);
  return {
    url: address,
    kind: kindAt(new URL(address).pathname, screen),
    claimed: attribute(main, 'data-kind') ?? 'nothing',
    headers: answer.headers,
    named: sources(scripts).map(absolute),
    inline: scripts.filter((tag) => !attribute(tag, 'src')),
    frames: sources(tags(html, 'iframe')).map(absolute),
  };
}

/** Signs up, each time with a tag of its own: an address is only taken once. */
async function signUp(page: Page, address: string, email: string): Promise<void> {
  await page.goto(address);
  const signup = (await page.locator('main').getAttribute('data-signup')) ?? '/';
  await page.goto(new URL(signup, address).href);
  await page.locator('#email').fill(email.replace('@', `+watch${Date.now()}@`));
  await page.locator('#continue-button').click();
  await page.waitForURL(({ pathname }) => pathname !== signup);
}

/**
 * Opens the page in a browser and waits until it is at rest.
 *
 * @param email signs up with it first; nobody when left out
 * @returns the addresses of all scripts and frames that it then has
 */
export async function openPage(address: string, browser: Browser, email?: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (email) await signUp(page, address, email);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && request.frame() === page.mainFrame()) {
      scripts.push(request.url());
    }
  });
  await page.goto(address);
  await page.locator('x-island[live]').first().waitFor({ state: 'attached' });
  // What an island loads once it lives, and what that loads in its turn.
  await page.waitForTimeout(5000);
  await page.waitForLoadState('networkidle');
  const frames = page.mainFrame().childFrames();
  const framed = frames.map((frame) => frame.url()).filter((url) => /^https?:/.test(url));
  await context.close();
  return { scripts, frames: framed };
}
