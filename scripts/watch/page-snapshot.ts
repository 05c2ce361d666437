import type { Browser, Page } from 'playwright-core';
import { isScreenId } from '../../worker/experiments/rules/flows.ts';
import type { PageKind } from '../../worker/http/page-kind.ts';
import { pageKind } from '../../worker/rendering/page-types.ts';
import { CommandError } from '../command.ts';

/** @param screen the screen that the page states, for paths without a screen, such as aliases */
export function kindAt(path: string, screen = ''): PageKind {
  const id = path.slice(1);
  if (id === 'i') return 'private';
  if (id === 'manage/card') return 'payment';
  return pageKind(isScreenId(id) ? id : screen);
}

export interface PageSnapshot {
  url: string;
  kind: PageKind;
  claimed: string;
  headers: Headers;
  named: string[];
  inline: string[];
  frames: string[];
}

/** Attributes of each tag of an element; also in comments, because a comment can end early. */
const tags = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'gi'))].map(([, inner = '']) => inner);

const pair = /([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;

function attribute(tag: string, wanted: string): string | undefined {
  const found = [...tag.matchAll(pair)].find(([, name = '']) => name.toLowerCase() === wanted);
  return (found?.[2] ?? found?.[3] ?? found?.[4])?.replaceAll('&amp;', '&');
}

/** @throws CommandError if this is not a page of the funnel */
export async function readPage(address: string, send: typeof fetch): Promise<PageSnapshot> {
  const response = await send(address, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  }).catch(() => {
    throw new CommandError(`${address} did not answer.`);
  });
  if (response.status !== 200) throw new CommandError(`${address} answered ${response.status}.`);
  const html = await response.text();
  const main = tags(html, 'main')[0] ?? '';
  const screen = attribute(main, 'data-screen');
  if (!screen) throw new CommandError(`${address} is not a page of the funnel.`);
  const absolute = (source: string) => new URL(source, address).href;
  const scripts = tags(html, 'script');
  const sources = (list: string[]) => list.flatMap((tag) => attribute(tag, 'src') ?? []);
  return {
    url: address,
    kind: kindAt(new URL(address).pathname, screen),
    claimed: attribute(main, 'data-kind') ?? 'nothing',
    headers: response.headers,
    named: sources(scripts).map(absolute),
    inline: scripts.filter((tag) => !attribute(tag, 'src')),
    frames: sources(tags(html, 'iframe')).map(absolute),
  };
}

async function signUp(page: Page, address: string, email: string): Promise<void> {
  await page.goto(address);
  const signup = (await page.locator('main').getAttribute('data-signup')) ?? '/';
  await page.goto(new URL(signup, address).href);
  await page.locator('#email').fill(email.replace('@', `+watch${Date.now()}@`));
  await page.locator('#continue-button').click();
  await page.waitForURL(({ pathname }) => pathname !== signup);
}

/** URLs of all scripts and frames of a page in a browser. @param email signs up with it first */
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
  // Time for islands to load scripts, and for those to load more.
  await page.waitForTimeout(5000);
  await page.waitForLoadState('networkidle');
  const frames = page.mainFrame().childFrames();
  const framed = frames.map((frame) => frame.url()).filter((url) => /^https?:/.test(url));
  await context.close();
  return { scripts, frames: framed };
}
