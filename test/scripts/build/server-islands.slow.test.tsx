import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { build } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { clientManifest } from '../../../scripts/build/client-manifest.ts';
import { islandNames } from '../../../scripts/build/island-names.ts';
import { languageFiles } from '../../../scripts/build/language-files.ts';
import { cssModules } from '../../../scripts/build/page-styles.ts';
import { serverIslands, withoutBrowserWork } from '../../../scripts/build/server-islands.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

const folder = mkdtempSync(join('.cache', 'server-islands-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Renders all screens with a build of them. */
async function htmlBy(
  name: string,
  ...rule: (typeof serverIslands)[]
): Promise<[string, string][]> {
  const outDir = join(folder, name);
  await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [clientManifest, languageFiles, islandNames, ...rule],
    css: cssModules,
    build: {
      ssr: 'test/screens/every-screen.tsx',
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { external: 'virtual:street-map-library' },
    },
  });
  const { screens } = await import(
    /* @vite-ignore */ join(process.cwd(), outDir, 'every-screen.js')
  );
  return Object.entries<ReactElement>(screens).map(([id, screen]) => [id, renderToString(screen)]);
}

test('server islands: each screen has the same HTML with and without browser-only code', async () => {
  const whole = await htmlBy('whole');
  const rest = await htmlBy('rest', { ...serverIslands, applyToEnvironment: () => true });
  expect(whole.length).toBeGreaterThan(20);
  expect(rest).toEqual(whole);
});

const strip = (code: string) => withoutBrowserWork(code).replace(/\s+/g, ' ');

test('server islands: a component that no first HTML has loses its body, a function beside it does not', () => {
  const code = 'export function Card() { return words(); } export function words() { return 1; }';
  const stub = '{ throw new Error("browser only") }';
  expect(withoutBrowserWork(code, true)).toBe(code.replace('{ return words(); }', stub));
  expect(withoutBrowserWork(code)).toBe(code);
});

test('server islands: effects and handlers of elements are removed', () => {
  const code = '_jsx("form", { onSubmit: pay, id: "f" }); useEffect(() => { track(); }, []);';
  expect(strip(code)).toBe('_jsx("form", { id: "f" }); ;');
});

test('server islands: a handler that throws stays, and so do optional handlers', () => {
  const code = 'const send = () => pay(); _jsx(Form, { onSend: send, onBack, once: send });';
  const stripped = strip(code);
  expect(stripped).toContain('onBack, once: send });');
  expect(stripped).toMatch(/onSend: \(\) => \{ throw /);
});

test('server islands: async functions lose their bodies', () => {
  const code =
    'const pay = async (plan) => { await charge(plan); }; async function buy() { pay(); }';
  const stubBody = '{ throw new Error("browser only") }';
  expect(strip(code)).toBe(
    `const pay = async (plan) => ${stubBody}; async function buy() ${stubBody}`,
  );
});

test('server islands: an effect whose result is used stays', () => {
  const code = 'const remove = useOnHydrate(listen); render(useEffect(run));';
  expect(strip(code)).toBe(code);
});
