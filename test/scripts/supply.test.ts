import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import needsBuild from '../needs-build.ts';

needsBuild();

const parse = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('supply chain: every dependency has an exact version', () => {
  const { dependencies, devDependencies, optionalDependencies } = parse('package.json');
  const all = Object.entries<string>({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  });
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('supply chain: the lockfile has the hash of every package, and only registry URLs', () => {
  const { packages } = parse('package-lock.json');
  const { '': _root, ...locked } = packages as Record<
    string,
    { integrity?: string; resolved?: string; link?: boolean }
  >;
  const loose = Object.entries(locked).filter(
    ([, { integrity = '', resolved, link }]) =>
      !/^sha512-/.test(integrity) ||
      link ||
      (resolved && !resolved.startsWith('https://registry.npmjs.org/')),
  );
  expect(loose.map(([name]) => name)).toEqual([]);
});

const client = 'dist/client';
const files = globSync(`${client}/**/*.*`, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(client.length));

/** Paths that `_headers` lets a browser cache forever. */
const kept = readFileSync('public/_headers', 'utf8')
  .split(/\n(?=\/)/)
  .filter((rule) => /Cache-Control: public, max-age=31536000, immutable/.test(rule))
  .map((rule) => rule.split('/*')[0] ?? '');

test('static files: a file that browsers cache forever has its content’s hash or its source’s version in its name', () => {
  const named =
    /^\/static\/(js|fonts)\/[\w-]+\.[\w-]{7,}(\.chunk)?\.js$|^\/static\/fonts\/[\w-]+\.[0-9a-f]{10}\.woff2$|^\/static\/maplibre-gl-\d+\.\d+\.\d+\/|^\/(areas|numbering)\/[\w.-]+-\d+\.\d+\.\d+[\w.-]*\/|^\/static\/cards\/[0-9a-f]{10}\/[\w-]+\.png$|^\/images\/\w+\.[0-9a-f]{10}\.svg$/;
  const ofAge = files.filter((file) => kept.some((path) => file.startsWith(`${path}/`)));
  expect(ofAge.length).toBeGreaterThan(2000);
  expect(ofAge.filter((file) => !named.test(file))).toEqual([]);
});

test('static files: no file is served with another type than its own', () => {
  const rules = readFileSync('public/_headers', 'utf8');
  expect(rules).toMatch(/^\/\*\n {2}X-Content-Type-Options: nosniff\n/);
});

test('static files: a picture’s name contains the hash of its content', () => {
  const pictures = files.filter((file) => file.startsWith('/images/'));
  expect(pictures).toHaveLength(1);
  for (const picture of pictures) {
    const hash = createHash('sha256')
      .update(readFileSync(client + picture))
      .digest('hex');
    expect(picture).toContain(`.${hash.slice(0, 10)}.`);
  }
});

test('static files: every other file must keep its name, or is read by the Worker only', () => {
  const others = files.filter((file) => !kept.some((path) => file.startsWith(`${path}/`)));
  const known =
    /^\/edge\/(((numbers|cities|plans)\/(\d+|index)|countries\/[a-zA-Z-]+|languages\/[a-zA-Z-]+\.\w+)\.json|console\.css)$/;
  expect(others.filter((file) => !known.test(file)).sort()).toEqual([
    '/favicon.svg',
    '/google-map.js',
    '/licences.txt',
    '/robots.txt',
  ]);
});

test('static files: no source map is published', () => {
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  for (const file of files.filter((each) => each.endsWith('.js'))) {
    expect([file, /sourceMappingURL/.test(readFileSync(client + file, 'utf8'))]).toEqual([
      file,
      false,
    ]);
  }
});
