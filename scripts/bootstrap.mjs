// Entry of every npm command: installs dependencies, then runs the script on the lockfile's Node.
// Plain JavaScript, because the machine's Node may be too old for TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

const [script, ...args] = process.argv.slice(2);
const bin = resolve('node_modules/.bin');
const stamp = 'node_modules/.installed';
const wanted = readFileSync('package-lock.json', 'utf8');
const windows = process.platform === 'win32';

function run(command, params, env = process.env) {
  const { status } = spawnSync(command, params, { stdio: 'inherit', env, shell: windows });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const began = performance.now();
  // `npm ci` fails when the lockfile lacks a package that only another platform needs.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
  console.error(`  ✓ install  ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
const PATH = [bin, process.env.PATH].join(delimiter);
run(resolve(bin, 'node'), [script, ...args], { ...process.env, PATH });
