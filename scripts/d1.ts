import { Refused } from './refused.ts';
import { at, complaint, type Place, type Run, runWrangler } from './wrangler.ts';

/** Asks D1; rows by statement. Throws Refused when it does not answer. */
export type Ask = <Row>(sql: string) => Promise<Row[][]>;

/** The database `funnel` through the wrangler command. */
export function wranglerD1(place: Place, run: Run = runWrangler): Ask {
  return async <Row>(sql: string) => {
    const command = ['d1', 'execute', 'funnel', '--json', '--command', sql, ...at(place)];
    const { code, stdout, stderr } = await run(command);
    if (code !== 0) throw new Refused(`D1 did not answer: ${complaint(stderr + stdout)}`);
    return (JSON.parse(stdout) as { results: Row[] }[]).map(({ results }) => results);
  };
}
