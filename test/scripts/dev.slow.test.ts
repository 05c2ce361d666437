import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const copied = [
  ...['worker', 'islands', 'screens', 'locales', 'public', 'scripts', 'test/fakes'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'wrangler.toml'],
];

const freePort = () =>
  new Promise<string>((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(String(port)));
    });
  });

/** `npm run dev` on a copy of the sources, which the test edits. */
async function development() {
  const tree = mkdtempSync(join(tmpdir(), 'dev-'));
  for (const path of copied) cpSync(path, join(tree, path), { recursive: true });
  for (const path of ['node_modules', '.cache']) symlinkSync(resolve(path), join(tree, path));
  const port = await freePort();
  const args = ['scripts/start.ts', '--watch', '--empty', '--port', port];
  const PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
  // Vitest's own `NODE_ENV` would select another React.
  const env = { ...process.env, PATH, NODE_ENV: 'production' };
  const child = spawn(process.execPath, args, { cwd: tree, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part;
    });
  }
  const ended = new Promise((done) => child.once('exit', done));
  onTestFinished(async () => {
    child.kill();
    await ended;
    rmSync(tree, { recursive: true, force: true });
  });
  await expect.poll(() => output, { timeout: 170_000 }).toContain('The funnel runs on');
  return {
    edit: (path: string, from: string, to: string) => {
      const file = join(tree, path);
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(from);
      writeFileSync(file, text.replace(from, to));
    },
    read: async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    output: () => output,
  };
}

test('npm run dev: shows each kind of edit, and serves the last build while one fails', {
  timeout: 600_000,
}, async () => {
  const { edit, read, output } = await development();
  const island = async (page: string, name: string) => {
    const [, src = ''] = new RegExp(`name="${name}" src="([^"]+)"`).exec(await read(page)) ?? [];
    return read(src);
  };
  expect(await read('/features')).toContain('What you both get');

  // At once, because each build takes seconds.
  edit('screens/features.tsx', '<PageTitle', '<hr data-edited="" /><PageTitle');
  edit('screens/features.module.css', 'gap: 20px 12px;', 'gap: 20px 12px; outline-offset: 7px;');
  edit('islands/toast.tsx', 'role="alert"', 'role="alert" data-edited-island=""');
  await expect.poll(() => read('/features')).toContain('data-edited');
  await expect.poll(() => read('/features')).toContain('outline-offset:7px');
  await expect.poll(() => island('/features', 'toast')).toContain('data-edited-island');

  edit('locales/en/screens.json', 'What you both get', 'An edited title');
  await expect.poll(() => read('/features')).toContain('An edited title');

  edit('screens/features.tsx', 'return (', 'return ((');
  await expect.poll(output).toContain('The last build is still served.');
  expect(output()).toContain('features.tsx');
  expect(await read('/features')).toContain('An edited title');

  edit('screens/features.tsx', 'return ((', 'return (');
  edit('screens/features.tsx', 'data-edited', 'data-repaired');
  await expect.poll(() => read('/features')).toContain('data-repaired');
});
