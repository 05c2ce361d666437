import { codeMeasures } from '../test/code-measures.ts';
import { print } from './command.ts';
import { aligned } from './text-table.ts';

const measures = codeMeasures();
const { sourceLines, testLines, rootFiles, circles, casts, droppedErrors } = measures;
const { longFunctions, longFiles, manyParameters, sharedNames } = measures;
const rows: [string, number, number][] = [
  ['source lines', sourceLines, 73_000],
  ['test lines', testLines, 82_000],
  ["files at the Worker's root", rootFiles, 8],
  ['import circles', circles, 0],
  ['functions over 60 lines', longFunctions.length, 25],
  ['lines of the longest function', longFunctions[0]?.lines ?? 0, 120],
  ['functions with five or more parameters', manyParameters.length, 10],
  ['casts', casts, 250],
  ['catches that drop the error', droppedErrors, 120],
  ['names exported by two or more files', sharedNames.length, 60],
  ['files over 300 lines', longFiles.length, 0],
];
const text = rows.map(([name, value, goal]) => [name, String(value), `at most ${goal}`]);
for (const line of aligned([['measure', 'value', 'goal'], ...text])) print(line);
const places = longFunctions.map(({ place, lines }) => `${place} has ${lines} lines`);
if (process.argv.includes('--list')) for (const line of [...places, ...longFiles]) print(line);
