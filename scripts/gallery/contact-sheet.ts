import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Picture } from './screenshot.ts';

const style = `
  body { margin: 24px; background: #8a8f98; font: 600 13px system-ui, sans-serif; }
  main { display: flex; flex-wrap: wrap; align-items: start; gap: 24px; }
  figure { margin: 0; }
  figcaption { padding-block-end: 6px; color: #fff; }
  img { display: block; border-radius: 6px; max-block-size: 900px; }`;

const cell = ({ screen, look, file, width }: Picture) =>
  `<figure><figcaption>${screen} · ${look}</figcaption><a href="${file}"><img src="${file}" width="${Math.round(width / 2)}" alt=""></a></figure>`;

/** Writes the contact sheet of a folder of pictures: `index.html`, and the same as `sheet.png`. */
export async function writeContactSheet(
  browser: Browser,
  pictures: readonly Picture[],
  folder: string,
): Promise<void> {
  const html = `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>${style}</style><main>${pictures.map(cell).join('')}</main>`;
  const file = join(folder, 'index.html');
  writeFileSync(file, html);
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  await page.goto(`file://${resolve(file)}`);
  await page.screenshot({ path: join(folder, 'sheet.png'), fullPage: true });
  await page.close();
}
