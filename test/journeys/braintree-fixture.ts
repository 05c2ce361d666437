import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { scriptHosts } from '../../worker/http/script-inventory.ts';
import { pageHeaders } from '../../worker/http/security-headers.ts';
import { script as fakeOf } from '../fakes/braintree/assets.ts';
import { clientTokenFor } from '../fakes/braintree/client-api.ts';
import { createFakes } from '../fakes/index.ts';
import type {} from './braintree-page.ts';
import { full } from './run-journey.ts';

const allOrigins = [
  ['unmodified, at the real hosts', ''],
  ['the fake, on our own origin', '/fakes'],
] as const;

/** Sources of Braintree’s scripts; both in the full run. */
export const origins = full ? allOrigins : allOrigins.slice(0, 1);

const html = `<!doctype html><html lang="en"><title>Shop</title><body><main data-kind="payment" data-scripts="${scriptHosts('payment')}"></main>
<form><label for="number">Number</label><div id="number"></div>
<label for="expiry">Expiry</label><div id="expiry"></div>
<label for="cvc">Code</label><div id="cvc"></div></form><div id="wallets"></div><script src="/shop.js"></script>`;

/** Apple Pay JS as in Safari, for other browsers. */
export async function appleWallet(): Promise<{ content: string }> {
  const applePay = await fakeOf('apple-pay-session.js');
  return { content: (await applePay?.text()) ?? '' };
}

let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./braintree-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

function takeWallets() {
  Object.defineProperty(window, 'ApplePaySession', { value: undefined, writable: false });
  Reflect.deleteProperty(window, 'PaymentRequest');
}

/**
 * A page with our Braintree driver and payment policy, and all vendors behind it.
 *
 * @param bare a browser without wallets
 */
export async function openFixture(browser: Browser, vendors: '' | '/fakes', bare = false) {
  const origin = vendors ? 'http://localhost:8787' : 'https://shop.test';
  const fakes = createFakes();
  const faults: string[] = [];
  const context = await browser.newContext();
  await context.addInitScript(bare ? takeWallets : await appleWallet());
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  bundled ??= bundle();
  const script = await bundled;
  await context.route('**/*', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (url.origin === origin && !url.pathname.startsWith('/fakes/')) {
      const headers = pageHeaders('payment', vendors !== '', null);
      const isScript = url.pathname === '/shop.js';
      const contentType = isScript ? 'text/javascript' : 'text/html';
      return route.fulfill({ headers, contentType, body: isScript ? script : html });
    }
    const response = await fakes.fetch({
      url: request.url(),
      method: request.method(),
      headers: Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':')),
      arrayBuffer: async () => new Uint8Array(request.postDataBuffer() ?? Buffer.alloc(0)).buffer,
    });
    if (response.status === 502) faults.push(await response.clone().text());
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  await page.goto(`${origin}/`);
  const token = clientTokenFor();
  await page.evaluate(([one, two]) => shop.open(one, two), [token, vendors] as const);
  return { page, fakes, faults, close: () => context.close() };
}

export const titles = { number: 'Card number', expiry: 'Expiry date', cvc: 'Security code' };

export async function type(page: Page, number: string, expiry = '12 / 34', cvc = '123') {
  const field = (title: string) => page.frameLocator(`iframe[title="${title}"]`).locator('input');
  await field(titles.number).fill(number);
  await field(titles.expiry).fill(expiry);
  await field(titles.cvc).fill(cvc);
}
