import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';
import { type Import, importsOf } from '../test/import-graph.ts';

interface Mutation {
  file: string;
  start: number;
  end: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  left?: Node;
  right?: Node;
  test?: Node | null;
  value?: unknown;
  directive?: unknown;
  declaration?: unknown;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string', default: '40' },
    area: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`node scripts/mutate.ts [--seed 1] [--count 40] [--area rules|islands]
Changes random places of the sources, one at a time, and runs the tests nearest to them.
Prints the changes that no test detected. The same seed gives the same changes.
`);
  process.exit(0);
}

/** Areas to mutate, with the share of mutations that tests must detect. */
const areas = [
  { name: 'rules', least: 0.95, files: globSync('worker/*/rules/**/*.ts') },
  { name: 'islands', least: 0.9, files: globSync('islands/{runtime,stores}/**/*.{ts,tsx}') },
].filter(({ name }) => !values.area || values.area === name);

const swaps: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Types, imports and error messages are not behaviour. */
const ignored =
  /^(TS(?!(As|NonNull|Satisfies))|Import|Export(All|Named)Declaration$|JSXText|TemplateElement)/;

function mutationsOf(file: string): Mutation[] {
  const code = readFileSync(file, 'utf8');
  const found: Mutation[] = [];
  const add = ({ start, end }: Node, text: string) => found.push({ file, start, end, text });
  const source = ({ start, end }: Node) => code.slice(start, end);
  const visit = (node: Node) => {
    const { type, operator = '', left, right, test, value } = node;
    const swap = swaps[operator];
    if (swap && left && right) add(node, `${source(left)} ${swap} ${source(right)}`);
    if (/^(If|Conditional)/.test(type) && test) add(test, `!(${source(test)})`);
    if (type === 'ExpressionStatement' && !node.directive) add(node, ';');
    if (type === 'Literal' && typeof value === 'number') add(node, String(value * 2 || 1));
    if (type === 'Literal' && typeof value === 'boolean') add(node, String(!value));
    for (const inner of Object.values(node).flat()) {
      if (isNode(inner) && !ignored.test(inner.type)) visit(inner);
      // An exported declaration is behaviour, a list of exported names is not.
      else if (isNode(inner) && isNode(inner.declaration)) visit(inner.declaration);
    }
  };
  visit(parseSync(file, code).program as unknown as Node);
  return found;
}

/** Pseudo-random numbers from 0 to 1, reproducible by seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const unitTests = globSync(
  'test/{worker/**/rules,islands,screens,locales,scripts}/**/*.test.{ts,tsx}',
);
/** These tests start a runtime, which takes seconds. */
const runtimeTests = globSync('test/worker/**/*.test.{ts,tsx}').filter(
  (file) => !unitTests.includes(file),
);
/** Tests import a module again where it keeps state. */
const dynamicImportsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/import\(\s*'(\.[^']+)'/g)].map(([, path = '']) => ({
    from: file,
    to: relative('.', join(dirname(file), path)),
    type: false,
  }));

const sources = globSync('{worker,islands,screens,locales,test}/**/*.{ts,tsx}');
const importers = Map.groupBy(
  [...sources.flatMap(importsOf), ...unitTests.flatMap(dynamicImportsOf)],
  ({ to }) => to,
);

/** Files that import a file, directly or indirectly; the nearest first. */
function importersOf(file: string): string[] {
  const reached = new Set([file]);
  for (const each of reached) {
    for (const { from, type } of importers.get(each) ?? []) if (!type) reached.add(from);
  }
  return [...reached];
}

/** Whether a test detects the mutation. Vitest reads it from the environment, so no file is changed. */
function isNoticed(mutation: Mutation): boolean {
  const near = importersOf(mutation.file);
  const units = near.filter((each) => unitTests.includes(each));
  const runtime = near.filter((each) => runtimeTests.includes(each));
  const env = { ...process.env, SLOW: '1', MUTATION: JSON.stringify(mutation) };
  // Most mutations are detected by the nearest tests.
  return [units.slice(0, 3), units.slice(3), runtime.slice(0, 3)].some((files) => {
    // Vitest's module cache on disk would ignore the mutation.
    const args = ['run', '--fsModuleCache=false', '--bail=1', '--testTimeout=20000', ...files];
    // An endless loop has no exit status, and counts as detected.
    const run = { env, timeout: 180_000 };
    return files.length > 0 && spawnSync('vitest', args, run).status !== 0;
  });
}

let failed = false;
for (const { name, least, files } of areas) {
  const random = randomOf(Number(values.seed));
  const all = files.flatMap(mutationsOf);
  const sample = Array.from({ length: Math.min(Number(values.count), all.length) }, () =>
    all.splice(Math.floor(random() * all.length), 1),
  ).flat();
  const missed = sample.filter((mutation) => !isNoticed(mutation));
  for (const { file, start, end, text } of missed) {
    const code = readFileSync(file, 'utf8');
    const line = code.slice(0, start).split('\n').length;
    process.stdout.write(`survived: ${file}:${line}: ${code.slice(start, end)} → ${text}\n`);
  }
  const noticed = sample.length - missed.length;
  process.stdout.write(
    `${name}: ${noticed} of ${sample.length} mutations caught, seed ${values.seed}\n`,
  );
  failed ||= noticed < least * sample.length;
}
process.exit(failed ? 1 : 0);
