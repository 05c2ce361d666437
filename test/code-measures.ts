import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
import { cyclesOf, importsOf } from './import-graph.ts';

type Fn = ESTree.Function | ESTree.ArrowFunctionExpression;

const linesOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);

const source = globSync(
  '{worker,islands,screens,locales,scripts,public}/**/*.{ts,tsx,css,mjs,sql}',
);
const tests = globSync('test/**/*.{ts,tsx,css,mjs,sql}');

/** What a reader of one file has to hold in mind. */
function readFile(file: string) {
  const code = readFileSync(file, 'utf8');
  const long: { place: string; lines: number }[] = [];
  const manyParameters: string[] = [];
  let casts = 0;
  let droppedErrors = 0;
  const visitFunction = ({ start, end, params, body }: Fn) => {
    if (!body) return;
    const line = code.slice(0, start).split('\n').length;
    const place = `${file}:${line}`;
    const lines = code.slice(start, end).split('\n').length;
    if (lines > 60) long.push({ place, lines });
    if (params.length >= 5) manyParameters.push(place);
  };
  new Visitor({
    FunctionDeclaration: visitFunction,
    FunctionExpression: visitFunction,
    ArrowFunctionExpression: visitFunction,
    TSAsExpression({ typeAnnotation }) {
      if (code.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') casts += 1;
    },
    CatchClause({ param }) {
      if (!param) droppedErrors += 1;
    },
    CallExpression({ callee, arguments: [handler] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (callee.property.name !== 'catch') return;
      if (handler?.type === 'ArrowFunctionExpression' && handler.params.length === 0) {
        droppedErrors += 1;
      }
    },
  }).visit(parseSync(file, code).program);
  const names = [
    ...code.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm),
  ].map(([, name = '']) => name);
  return { file, long, manyParameters, casts, droppedErrors, names: [...new Set(names)] };
}

/** Measures of the code without its tests, and the lines of the tests. */
export function codeMeasures() {
  const code = source.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
  const files = code.map(readFile);
  const exporters = Map.groupBy(
    files.flatMap(({ file, names }) => names.map((name) => ({ file, name }))),
    ({ name }) => name,
  );
  const sum = (count: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  return {
    sourceLines: linesOf(source),
    testLines: linesOf(tests),
    rootFiles: globSync('worker/*.{ts,tsx,md}').length,
    circles: cyclesOf(code.flatMap(importsOf)).length,
    longFiles: code.filter((file) => linesOf([file]) > 300),
    longFunctions: files.flatMap(({ long }) => long).sort((a, b) => b.lines - a.lines),
    manyParameters: files.flatMap(({ manyParameters }) => manyParameters),
    casts: sum(({ casts }) => casts),
    droppedErrors: sum(({ droppedErrors }) => droppedErrors),
    sharedNames: [...exporters].filter(([, all]) => all.length > 1).map(([name]) => name),
  };
}
