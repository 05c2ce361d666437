import { expect } from 'vitest';
import type { Shot } from '../../scripts/gallery/shots.ts';
import { allPages } from './all-pages.ts';
import type { Visit } from './browser-session.ts';
import { ignoreLayoutShifts } from './console-and-network-errors.ts';
import { delayRequests, requestBodies } from './delay-requests.ts';
import { openCheckout } from './open-checkout.ts';
import { full, journey } from './run-journey.ts';
import { reachStage } from './visitor-stage.ts';

const react = /\/static\/js\/react\./;

/** An island that a page contains, with the names or ids of its fields. */
interface Found {
  shot: Shot;
  island: string;
  fields: string;
}

/** The islands with fields in the HTML of all pages, each with the same fields once. */
async function findIslands(origin: string): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const shot of allPages) {
    const [path = ''] = shot.path.split('#');
    const html = await (await fetch(origin + path)).text();
    for (const [, island = '', inner = ''] of html.matchAll(
      /<x-island[^>]* name="([^"]+)"[^>]*>(.*?)<\/x-island>/gs,
    )) {
      const names = inner.matchAll(/<(?:input|select|textarea)[^>]* (?:name|id)="([^"]+)"/g);
      const fields = [...new Set([...names].map(([, name]) => name))].join(' ');
      if (fields && !found.has(island + fields))
        found.set(island + fields, { shot, island, fields });
    }
  }
  return [...found.values()];
}

/** Changes the page as Google Translate and password managers do. Runs in the page. */
function changeHtml() {
  const main = document.querySelector('main') as HTMLElement;
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.trim() || text.parentElement?.closest('script, style')) continue;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    text.replaceWith(outer);
    outer.append(inner);
    inner.append(text);
  }
  for (const input of main.querySelectorAll('input')) {
    const icon = document.createElement('div');
    icon.dataset.lastpassIconRoot = '';
    input.after(icon);
  }
}

/** Shows an island that its screen shows only to some visitors. Runs in the page. */
function reveal(island: Element) {
  for (let box = island.parentElement; box; box = box.parentElement) {
    if (getComputedStyle(box).display === 'none')
      box.style.setProperty('display', 'block', 'important');
  }
}

/** The state of an island's fields, and which element has the focus. Runs in the page. */
function readFields(island: Element) {
  const fields = [...island.querySelectorAll<HTMLInputElement>('input, select, textarea')];
  const activeElement = document.activeElement as HTMLInputElement;
  return {
    fields: fields.map(({ name, value, checked }) => [name, value, checked]),
    focused: fields.indexOf(activeElement),
    caret: activeElement.selectionStart,
  };
}

/** Signs without the punctuation that formatting adds. */
const signs = (text: string) => text.replace(/[^\w@.]/g, '');

/** Opens a page whose HTML others change before React, and holds React. */
async function openChanged(visitor: Visit, path: string): Promise<() => void> {
  const release = await delayRequests(visitor, react);
  await visitor.page.goto(path, { waitUntil: 'domcontentloaded' });
  await visitor.page.waitForFunction(() => history.state !== null);
  await ignoreLayoutShifts(visitor.page);
  await visitor.page.evaluate(changeHtml);
  return release;
}

/** Those on the way to the payment. */
const sampled = ['phone-form', 'email-form', 'order-summary', 'plan-picker'];
const samples: Record<string, string> = { tel: '2125550100', email: 'anna@example.com' };
const afterCaret = 3;

async function checkIsland(visitor: Visit, origin: string, { shot, island }: Found) {
  const { page } = visitor;
  const requested = page.waitForRequest(react);
  const release = await openChanged(visitor, origin + shot.path);
  const changed = page.locator(`x-island[name=${island}]`).first();
  await changed.evaluate(reveal);
  for (const summary of await changed.locator('summary').all()) await summary.click();
  const texts = changed.locator('input:visible:not([type=radio], [type=checkbox])');
  const choices = changed.locator(
    'label:visible:has([type=radio]), label:visible:has([type=checkbox])',
  );
  if (await choices.count()) await choices.last().click();
  for (const field of await texts.all()) {
    const type = (await field.getAttribute('type')) ?? '';
    await field.pressSequentially(samples[type] ?? 'anna');
  }
  // The code that handles input before React has run by now.
  await requested;
  const hasText = (await texts.count()) > 0;
  if (hasText) await page.keyboard.press('End');
  for (let at = 0; hasText && at < afterCaret; at += 1) await page.keyboard.press('ArrowLeft');
  const before = await changed.evaluate(readFields);
  expect(before.focused, `${island} has the focus`).toBeGreaterThanOrEqual(0);
  release();
  await page
    .locator(`x-island[name=${island}][live][rerendered]`)
    .first()
    .waitFor({ state: 'attached' });
  expect(await changed.evaluate(readFields)).toEqual(before);
  if (!hasText) return;
  await page.keyboard.type('7');
  const typed = String(before.fields[before.focused]?.[1]);
  const middle = typed.length - afterCaret;
  const after = await changed.evaluate(readFields);
  expect(signs(String(after.fields[before.focused]?.[1]))).toBe(
    signs(`${typed.slice(0, middle)}7${typed.slice(middle)}`),
  );
}

journey(
  'changed HTML: fields of islands keep text, caret and focus when others changed it before React',
  async ({ another, server }) => {
    await server.configure({
      experiment: 'coupons',
      variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
      coupons: { TEN: { percent: 10 } },
    });
    const found = await findIslands(server.url);
    expect(found.map(({ island }) => island)).toEqual(expect.arrayContaining(sampled));
    for (const one of found.filter(({ island }) => full || sampled.includes(island))) {
      const visitor = await another();
      const events = requestBodies(visitor, 'POST', /\/api\/v1\/events$/);
      await reachStage(one.shot.stage, visitor, server);
      await checkIsland(visitor, server.url, one);
      expect(events.join()).not.toContain('_failed');
    }
  },
);

journey(
  'changed HTML: a tap before React is answered once, in the new elements',
  async ({ visitor, server }) => {
    const coupons = requestBodies(visitor, 'POST', /\/api\/v1\/coupons$/);
    await openCheckout('checkout_v3_tr', visitor, server);
    const release = await openChanged(visitor, visitor.page.url());
    await visitor.page.getByText('Have a code?').click();
    await visitor.page.getByLabel('Code', { exact: true }).fill('ten');
    await visitor.page.getByRole('button', { name: 'Apply' }).click();
    release();
    await visitor.sees(/^TEN −/);
    await visitor.page
      .locator('x-island[name=order-summary][rerendered]')
      .waitFor({ state: 'attached' });
    expect(coupons).toHaveLength(1);
  },
);
