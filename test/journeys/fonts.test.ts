import { expect } from 'vitest';
import { journey } from './run-journey.ts';

const samples: readonly (readonly [text: string, drawnIn: string])[] = [
  ['Prüfnummer, Kolejność, Разрешение', 'Inter'],
  ['الموافقة', 'Cairo'],
  // Without a font for these scripts, empty boxes are drawn.
  ['日本語 한국어', 'Inter'],
];

// Chromium uses Fontconfig on Linux only.
journey.runIf(process.platform === 'linux')(
  'fonts: tests draw text in their own fonts on any machine',
  async ({ browser }) => {
    const page = await browser.newPage();
    const client = await page.context().newCDPSession(page);
    await client.send('DOM.enable');
    await client.send('CSS.enable');
    for (const family of ['sans-serif', 'serif', 'system-ui', 'Arial', 'Roboto', 'DejaVu Sans']) {
      for (const [text, drawnIn] of samples) {
        await page.setContent(`<p style="font: 600 20px ${family}">${text}</p>`);
        const { root } = await client.send('DOM.getDocument');
        const p = { nodeId: root.nodeId, selector: 'p' };
        const { nodeId } = await client.send('DOM.querySelector', p);
        const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
        const names = fonts.map(({ familyName }) => familyName);
        expect([family, text, names]).toEqual([family, text, [drawnIn]]);
      }
    }
    await page.context().close();
  },
);
