import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { screens } from './every-screen.tsx';
import { htmlOf, page } from './page-fixture.tsx';

/** Links that concern an invitee, and none that concern buyers. */
const theirs = ['support', 'terms', 'privacy', 'imprint'] as const;

describe.each(Object.entries(screens))('screen %s', (id, screen) => {
  const html = htmlOf(screen);

  it('has one focusable main heading before all others', () => {
    const others = html.match(/id="(missing-step|active-plan)"/g) ?? [];
    expect(html.match(/<h1/g)).toHaveLength(1 + others.length);
    expect(html.match(/<h\d[^>]*>/)?.[0]).toMatch(/^<h1 tabindex="-1"/);
  });

  it('contains nothing that the content security policy blocks', () => {
    expect(html).not.toMatch(/\sstyle=|<script|\son\w+="/);
  });

  it('shows no placeholder of a text', () => {
    expect(html.replace(/<[^>]*>/g, ' ')).not.toMatch(/\{\{|\}\}/);
  });

  it('has unique ids', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('links to support, refunds, terms and privacy', () => {
    const links =
      id === 'invited' ? theirs.map((one) => page.legal[one]) : Object.values(page.legal);
    for (const href of links) expect(html).toContain(`href="${href}"`);
  });

  it('marks test mode, outside production only', () => {
    expect(html).toContain('Test mode');
  });
});

it('screens: the list has every kind but articles and receipts', () => {
  const list = readFileSync('test/screens/every-screen.tsx', 'utf8');
  const missing = globSync('screens/*.tsx').filter((file) => !list.includes(`/${file}'`));
  expect(missing.sort()).toEqual([
    'screens/article.tsx',
    'screens/document.tsx',
    'screens/receipt.tsx',
  ]);
});

it('screens: each one renders identical bytes twice', () => {
  expect(htmlOf(screens.checkout)).toBe(htmlOf(screens.checkout));
});
