import { jsonIn } from '../../platform/read-json.ts';

/** A name, a text, or a sign that opens, ends or divides lists and objects. */
const tokens = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\],]/g;

interface Entry {
  /** The names and indexes that lead to it; changes with the next one. */
  path: readonly (string | number)[];
  line: number;
}

/** Names of objects and elements of lists, in the text's order. */
export function* entriesOf(text: string): Generator<Entry> {
  const open: Entry['path'][number][] = [];
  let [line, from] = [1, 0];
  for (const { 0: token, 1: name = '', 2: colon, index } of text.matchAll(tokens)) {
    line += text.slice(from, index).split('\n').length - 1;
    from = index;
    const last = open.length - 1;
    const isInList = typeof open[last] === 'number';
    if (colon) open[last] = String(jsonIn(`"${name}"`) ?? name);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && isInList) open[last] = Number(open[last]) + 1;
    if (colon || (isInList && !/[\]},]/.test(token))) yield { path: open, line };
    if (token === '{') open.push('');
    if (token === '[') open.push(0);
  }
}

/** Of equal names in an object, JSON keeps the last. */
export function repeatedNames(text: string): { path: string; reason: string }[] {
  const known = new Set<string>();
  const repeated = [];
  let outer = '';
  for (const { path, line } of entriesOf(text)) {
    const own = JSON.stringify(path).slice(0, -1);
    if (known.has(own) && !(outer && own.startsWith(outer))) {
      repeated.push({ path: path.join('.'), reason: `written again in line ${line}` });
      outer = `${own},`;
    }
    known.add(own);
  }
  return repeated;
}
