import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withOwnRuntime } from '../../../scripts/build/browser-chunks.ts';
import { asModule } from '../../../scripts/build/react-as-module.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

test('React chunks: a chunk makes its namespaces itself, with live values', () => {
  const line = 'import { n as made } from "./rolldown-runtime.abc.chunk.js";';
  const code = withOwnRuntime(
    `${line}\nlet one = 1; const all = made({ one: () => one }); one = 2;`,
  );
  expect(code).not.toContain('import');
  expect(new Function(`${code}\nreturn all.one;`)()).toBe(2);
});

test('React chunks: imports of several helpers, or of none, are left unchanged', () => {
  const more = 'import { n as a, t as b } from "./rolldown-runtime.abc.chunk.js";';
  const none = 'import { n as a } from "./loader.abc.js";';
  expect([more, none].map(withOwnRuntime)).toEqual([more, none]);
});

test('React chunks: a CommonJS file becomes a module with the same imports and exports', async () => {
  const code = asModule(`"use strict";
var path = require("node:path"),
  url = require("node:url");
function base() { return path.basename(url.fileURLToPath("file:///a/b.txt")); }
exports.base = base;
if (path.sep) exports.late = function () { return exports.base(); };
exports.version = "1";`);
  expect(code).not.toMatch(/require|[^.\w]exports\./);
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect([module.late(), module.version, Object.keys(module).sort()]).toEqual([
    'b.txt',
    '1',
    ['base', 'late', 'version'],
  ]);
});

test('React chunks: no chunk loads the bundler’s helper', () => {
  const folder = 'dist/client/static/js';
  const importers = readdirSync(folder).filter((file) =>
    /from"[^"]*rolldown-runtime/.test(readFileSync(`${folder}/${file}`, 'utf8')),
  );
  expect(importers).toEqual([]);
});

test('React chunks: an upgraded React in another form stops the build', () => {
  expect(() => asModule('module.exports = { base };')).toThrow('module.exports');
});

test('React chunks: React is a module, without a wrapper function that runs at load', () => {
  const folder = 'dist/client/static/js';
  const [react] = readdirSync(folder).filter((file) => file.startsWith('react.'));
  const text = readFileSync(`${folder}/${react}`, 'utf8');
  expect(text).toContain('react.transitional.element');
  expect(text).not.toMatch(/\brequire\(|\bmodule\.exports\b/);
  // A wrapped file would begin with an arrow function.
  expect(text.slice(0, text.indexOf('react.transitional.element'))).not.toContain('=>');
});
