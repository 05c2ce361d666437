import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retainPreviousBuilds } from '../../../scripts/deploy/retain-previous-builds.ts';

async function build(file: string) {
  const client = mkdtempSync(join(tmpdir(), 'build-'));
  await mkdir(join(client, 'static/js'), { recursive: true });
  writeFileSync(join(client, 'static/js', file), file);
  await mkdir(join(client, 'images'), { recursive: true });
  writeFileSync(join(client, 'images', `payment.${file}.svg`), file);
  return client;
}

/** The folder of a build, served as the live site. */
const siteWith = (client: string) => async (url: URL | RequestInfo) => {
  try {
    const body = readFileSync(join(client, new URL(String(url)).pathname));
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  } catch {
    return new Response('<!DOCTYPE html>', { headers: { 'content-type': 'text/html' } });
  }
};

const scripts = (client: string) => readdirSync(join(client, 'static/js')).sort();

test('previous builds: a deploy keeps the files of the last two builds, and no older ones', async () => {
  let live = '';
  for (const file of ['a.js', 'b.js', 'c.js', 'd.js']) {
    const client = await build(file);
    await retainPreviousBuilds('https://funnel.example', client, siteWith(live) as typeof fetch);
    live = client;
  }
  expect(scripts(live)).toEqual(['b.js', 'c.js', 'd.js']);
  expect(readdirSync(join(live, 'images')).sort()).toEqual([
    'payment.b.js.svg',
    'payment.c.js.svg',
    'payment.d.js.svg',
  ]);
});

test('previous builds: the first deploy has nothing to keep', async () => {
  const client = await build('a.js');
  expect(
    await retainPreviousBuilds('https://funnel.example', client, siteWith('') as typeof fetch),
  ).toBe(0);
});

test.for(['static/../../etc/passwd', 'images/../secret', 'areas/a.json'])(
  'previous builds: a list that contains %s is refused',
  async (file) => {
    const client = await build('a.js');
    const evil = async () => Response.json([[file]]);
    await expect(
      retainPreviousBuilds('https://x.example', client, evil as typeof fetch),
    ).rejects.toThrow('outside static and images');
  },
);
