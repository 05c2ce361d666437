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

/** The line of the last name of the path that exists, or of the list that contains it. */
function lineOfPath(text: string, path: string): number {
  let at = 0;
  for (const step of path.split('.')) {
    const found = text.indexOf(`"${step}"`, at);
    if (/^\d+$/.test(step) || found === -1) break;
    at = found;
  }
  return text.slice(0, at).split('\n').length;
}

/** Such as `config.json line 12, coupons.X1.plans.0: …`. @param problem such as `config.json coupons.X1.plans.0: …` */
export function withLine(problem: string, texts: Readonly<Record<string, string | null>>): string {
  const [, file = '', path = ''] = /^(\S+\.json)(?: (\S+))?: /.exec(problem) ?? [];
  const text = texts[file] ?? '';
  if (path) {
    const known = /: (missing|needs )/.test(problem) ? path.replace(/\.[^.]*$/, '') : path;
    return problem.replace(file, `${file} line ${lineOfPath(text, known)},`);
  }
  return hasWrongToken(text) ? problem.replace(file, `${file} line ${lineOfToken(text)}`) : problem;
}
