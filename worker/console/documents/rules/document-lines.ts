import { entriesOf } from '../../../documents/rules/json-entries.ts';

/** Whether JSON parsing fails at a character, and not at the end of the text, where V8 reports no position. */
function hasWrongToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.endsWith('is not valid JSON');
  }
}

/** Finds the line by bisection: whether a beginning of the text fails does not depend on what follows. */
function lineOfToken(text: string): number {
  const lines = text.split('\n');
  let [low, high] = [1, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasWrongToken(lines.slice(0, middle).join('\n'))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The line of the longest beginning of the path that exists. */
function lineOfPath(text: string, wanted: readonly string[]): number {
  let [at, known] = [1, 0];
  for (const { path, line } of entriesOf(text)) {
    if (path.length > known && path.every((step, depth) => String(step) === wanted[depth])) {
      [at, known] = [line, path.length];
    }
  }
  return at;
}

/** The names at the top of a document as it is published, with their lines. */
export const pathParts = (text: string): { name: string; line: number }[] =>
  text.split('\n').flatMap((line, at) => {
    const [, name] = /^ {2}"(\w+)":/.exec(line) ?? [];
    return name ? [{ name, line: at + 1 }] : [];
  });

/** The line that a problem names in this document, as we or V8 write it; 0 for none. */
export const lineIn = (problem: string, key: string): number =>
  problem.startsWith(key) ? Number(/\bline (\d+)/.exec(problem)?.[1] ?? 0) : 0;

/** Such as `config.json line 12, coupons.X1.plans.0: …`. @param problem such as `config.json coupons.X1.plans.0: …` */
export function withLine(problem: string, texts: Readonly<Record<string, string | null>>): string {
  const [, file = '', path = ''] = /^(\S+\.json)(?: (\S+))?: /.exec(problem) ?? [];
  const text = texts[file] ?? '';
  if (path) {
    const steps = path.split('.');
    // A missing field has no line; the misspelling of it has one.
    const [, written] = /; is (\S+) a misspelling of it\?/.exec(problem) ?? [];
    if (/: (missing|needs )/.test(problem)) steps.splice(-1, 1, ...(written ? [written] : []));
    return problem.replace(file, `${file} line ${lineOfPath(text, steps)},`);
  }
  return hasWrongToken(text) ? problem.replace(file, `${file} line ${lineOfToken(text)}`) : problem;
}
