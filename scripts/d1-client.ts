import { CommandError } from './command-error.ts';
import { at, complaint, type Run, runWrangler, type Target } from './wrangler.ts';

/** Asks D1; rows by statement. Throws Refused when it does not answer. */
export type Ask = <Row>(sql: string) => Promise<Row[][]>;

/** What to tell whoever asked; a machine on which nothing was served yet has no tables. */
function reasonOf(said: string, { remote, persistTo }: Target): string {
  if (remote || !said.includes('no such table')) return `D1 did not answer: ${said}`;
  return `There is nothing in ${persistTo} yet: run npm start once, or ask the live site with --remote.`;
}

/** The database `funnel` through the wrangler command. */
export function wranglerD1(place: Target, run: Run = runWrangler): Ask {
  return async <Row>(sql: string) => {
    const command = ['d1', 'execute', 'funnel', '--json', '--command', sql, ...at(place)];
    const { code, stdout, stderr } = await run(command);
    if (code !== 0) throw new CommandError(reasonOf(complaint(stderr + stdout), place));
    return (JSON.parse(stdout) as { results: Row[] }[]).map(({ results }) => results);
  };
}
