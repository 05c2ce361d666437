import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Tokens = Record<string, string>;

const css = readFileSync('screens/styles/tokens.css', 'utf8');
const [day = '', night = ''] = css.split('@media (prefers-color-scheme: dark)');

/** Every token under all rules of the selector, later ones overriding earlier ones. */
function tokensOf(part: string, selector: string): Tokens {
  const rules = part.matchAll(/([^{}]+)\{([^{}]*)\}/g);
  const tokens: Tokens = {};
  for (const [, name = '', body = ''] of rules) {
    if (name.trim() !== selector) continue;
    for (const [, token = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) {
      tokens[token] = value;
    }
  }
  return tokens;
}

function luminance(color = ''): number {
  const light = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = light;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one?: string, other?: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const ownColors = {
  geozilla: ['#1558d6', '#7fb0ff'],
  'family-locator': ['#6b3fd4', '#b79bff'],
  found: ['#0b6e69', '#5cd6cc'],
  brainbloom: ['#b4400f', '#ffa37a'],
};
const themes = Object.entries(ownColors).flatMap(([theme, [light, dark]]) => {
  const selector = theme === 'geozilla' ? ':root' : `[data-theme="${theme}"]`;
  const base = { ...tokensOf(day, ':root'), ...tokensOf(day, selector) };
  const inDark = { ...base, ...tokensOf(night, ':root'), ...tokensOf(night, selector) };
  return [
    { theme, scheme: 'light', brand: light, tokens: base },
    { theme, scheme: 'dark', brand: dark, tokens: inDark },
  ];
});

const texts = ['ink', 'ink-soft', 'brand', 'success', 'warning', 'danger'];
const grounds = ['surface', 'tint'];

describe.each(themes)('contrast: $theme, $scheme', ({ brand, tokens }) => {
  it('has the brand colour of the theme', () => expect(tokens.brand).toBe(brand));

  it.each(texts)('%s has 4.5:1 on every background', (text) => {
    for (const ground of grounds) {
      expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('text on the brand colour has 4.5:1, pressed or not', () => {
    for (const ground of ['brand', 'other']) {
      expect(contrast(tokens['on-brand'], tokens[ground])).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('control borders have 3:1', () => {
    for (const ground of grounds) {
      expect(contrast(tokens.edge, tokens[ground])).toBeGreaterThanOrEqual(3);
    }
  });
});
