import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import type { Plugin } from 'vite';
import { directionOf, scriptOf } from '../../locales/index.ts';
import { brands, type Theme } from '../../worker/content/rules/themes.ts';
import { systemFontFiles } from './fonts.ts';

const cache = '.cache/cards';
const source = 'scripts/build/link-cards.ts';
const tokensFile = 'screens/styles/tokens.css';

interface Card {
  theme: Theme;
  language: string;
  svg: string;
}

/** Values of a theme's light colours, or the default theme's where it has none. */
function coloursOf(css: string, theme: string): Record<string, string> {
  const [light = ''] = css.split('@media');
  const rules = [...light.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  const bodies = rules.filter(([, selector = '']) =>
    [':root', `[data-theme="${theme}"]`].includes(selector.trim()),
  );
  const tokens = bodies.flatMap(([, , body = '']) => [...body.matchAll(/--([\w-]+):\s*(#\w+)/g)]);
  return Object.fromEntries(tokens.map(([, name = '', value = '']) => [name, value]));
}

/** Fonts by script. A card in another script has only the picture and the name. */
const families: Record<string, string> = { Latn: 'Inter', Cyrl: 'Inter', Arab: 'Cairo' };

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Splits a text into two lines of similar length. */
function linesOf(text: string): string[] {
  if (text.length <= 18) return [text];
  const middle = text.length / 2;
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index);
  const at = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const pin = (x: number, y: number, fill: string, edge: string) =>
  `<path transform="translate(${x} ${y}) scale(1.9)" fill="${fill}" stroke="${edge}" stroke-width="4" d="M0 0c-5-9-26-16-26-40a26 26 0 0 1 52 0c0 24-21 31-26 40z"/>`;

function drawingOf(c: Record<string, string>): string {
  return [
    `<path fill="${c.land}" d="M0 0h1200v630H0z"/>`,
    `<path fill="${c.park}" d="M700 40l190-50 50 160-190 60zM1010 430l180-50 50 180-160 50zM640 420l130-36 34 110-124 40z"/>`,
    `<path fill="none" stroke="${c.water}" stroke-width="80" d="M1240 60C1060 120 960 210 1000 350S880 560 700 680"/>`,
    `<path fill="none" stroke="${c.surface}" stroke-width="9" d="M560 300C760 270 940 240 1240 130M760-20C800 180 940 440 1060 660M540 520C760 560 960 440 1240 450"/>`,
    `<path fill="none" stroke="${c.surface}" stroke-width="3" d="M620 0L760 640M1090-10L1180 640M560 120L1240-60M560 420L1240 240M600 620L1240 540"/>`,
    `<path fill="none" stroke="${c.brand}" stroke-width="7" stroke-linecap="round" stroke-dasharray="0 19" d="M790 480Q800 280 1010 240"/>`,
    pin(790, 480, c.brand ?? '', c.surface ?? ''),
    pin(1010, 240, c.other ?? '', c.surface ?? ''),
  ].join('');
}

const logo = (c: Record<string, string>) =>
  `<g transform="scale(2)"><path fill="${c.brand}" d="M12 28C8 22.5 0 19.5 0 12a12 12 0 0 1 24 0c0 7.5-8 10.5-12 16z"/><circle cx="9" cy="12" r="4.5" fill="#fff"/><circle cx="15" cy="12" r="4.5" fill="#fff" fill-opacity=".55"/></g>`;

/** 1200 by 630, the size for Open Graph and Twitter. */
function svgOf(theme: Theme, language: string, promise: string, css: string): string {
  const c = coloursOf(css, theme);
  const mirrored = directionOf(language) === 'rtl';
  const family = families[scriptOf(language)];
  const anchor = mirrored ? 'end' : 'start';
  const x = mirrored ? 1120 : 80;
  const mirror = mirrored ? 'transform="translate(1200 0) scale(-1 1)"' : '';
  const lines = family ? linesOf(promise) : [];
  const longest = Math.max(...lines.map(({ length }) => length), 1);
  const size = Math.min(72, Math.round(900 / longest));
  const words = lines.map(
    (line, at) =>
      `<text x="${x}" y="${330 + at * size * 1.2}" font-family="${family}" font-weight="700" font-size="${size}" text-anchor="${anchor}" fill="${c.ink}">${escaped(line)}</text>`,
  );
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">',
    `<g ${mirror}>${drawingOf(c)}<path fill="${c.surface}" d="M0 0h700q-120 300-20 630H0z"/></g>`,
    `<g transform="translate(${mirrored ? 1072 : 80} 140)">${logo(c)}</g>`,
    `<text x="${mirrored ? 1050 : 150}" y="182" font-family="Inter" font-weight="700" font-size="44" text-anchor="${mirrored ? 'end' : 'start'}" fill="${c.ink}">${brands[theme]}</text>`,
    ...words,
    '</svg>',
  ].join('');
}

function allCards(): Card[] {
  const css = readFileSync(tokensFile, 'utf8');
  const languages = globSync('locales/*/screens.json').map((file) => basename(dirname(file)));
  return (Object.keys(brands) as Theme[]).flatMap((theme) =>
    languages.map((language) => {
      const texts = JSON.parse(readFileSync(`locales/${language}/screens.json`, 'utf8'));
      const svg = svgOf(theme, language, texts.landing.one_pager.title, css);
      return { theme, language, svg };
    }),
  );
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Drawn once, then cached with the build's other files. */
async function pngOf(svg: string, fontFiles: string[]): Promise<Buffer> {
  const kept = `${cache}/${hashOf(svg + readFileSync(source, 'utf8'))}.png`;
  if (existsSync(kept)) return readFileSync(kept);
  const picture = await renderAsync(svg, { font: { fontFiles, loadSystemFonts: false } });
  mkdirSync(cache, { recursive: true });
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, picture.asPng());
  renameSync(unfinished, kept);
  return readFileSync(kept);
}

let cards: Card[] | undefined;
const cardsOnce = () => {
  cards ??= allCards();
  return cards;
};

/** Folder of the pictures, as a path of the site; its name is a hash of their content. */
export const cardsFolder = (): string =>
  `/static/cards/${hashOf(
    cardsOnce()
      .map(({ svg }) => svg)
      .join(''),
  )}`;

/** The link preview image for other sites: one per theme and language. */
export const linkCards: Plugin = {
  name: 'link-cards',
  applyToEnvironment: (environment) => environment.name === 'client',
  async generateBundle() {
    const fontFiles = await systemFontFiles();
    const folder = cardsFolder().slice(1);
    await Promise.all(
      cardsOnce().map(async ({ theme, language, svg }) => {
        const fileName = `${folder}/${theme}-${language}.png`;
        this.emitFile({ type: 'asset', fileName, source: await pngOf(svg, fontFiles) });
      }),
    );
  },
};
