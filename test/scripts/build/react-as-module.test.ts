import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asModule } from '../../../scripts/build/react-as-module.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

test('a CommonJS file becomes a module with the same imports and exports', async () => {
  const code = asModule(`"use strict";
var path = require("node:path"),
  url = require("node:url");
function base() { return path.basename(url.fileURLToPath("file:///a/b.txt")); }
exports.base = base;
if (path.sep) exports.late = function () { return exports.base(); };
exports.version = "1";`);
  expect(code).not.toMatch(/require|[^.\w]exports\./);
  const made = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect([made.late(), made.version, Object.keys(made).sort()]).toEqual([
    'b.txt',
    '1',
    ['base', 'late', 'version'],
  ]);
});

test('React stands in its chunk as a module, in no function that is called as it loads', () => {
  const folder = 'dist/client/static/js';
  const [react] = readdirSync(folder).filter((file) => file.startsWith('react.'));
  const text = readFileSync(`${folder}/${react}`, 'utf8');
  expect(text).toContain('react.transitional.element');
  expect(text).not.toMatch(/\brequire\(|\bmodule\.exports\b/);
  // What a wrapped file begins with is behind an arrow.
  expect(text.slice(0, text.indexOf('react.transitional.element'))).not.toContain('=>');
});
