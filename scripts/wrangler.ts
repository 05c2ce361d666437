import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Which site a command is about. */
export interface Target {
  /** The live site, instead of this machine. */
  remote: boolean;
  /** Where this machine keeps its data. */
  persistTo: string;
}

/** Runs wrangler with these arguments. */
export type Run = (args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;

export const runWrangler: Run = (args) =>
  new Promise((resolve) => {
    const command = ['node_modules/wrangler/bin/wrangler.js', ...args];
    const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } };
    const child = execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, stdout, stderr }),
    );
    // So that it asks nobody anything.
    child.stdin?.end();
  });

/** The arguments that say which site wrangler shall look at. */
export const at = ({ remote, persistTo }: Target): string[] => [
  '--config',
  'wrangler.toml',
  ...(remote ? ['--remote'] : ['--local', '--persist-to', persistTo]),
];

/** What wrangler says went wrong, in its own words; asked for JSON, it says that in JSON, too. */
export function complaint(output: string): string {
  const said = /"error":\s*\{\s*"text":\s*("(?:[^"\\]|\\.)*")/.exec(output)?.[1];
  if (said) return JSON.parse(said) as string;
  const lines = stripVTControlCharacters(output).split('\n');
  const line = lines.find((each) => each.includes('[ERROR]')) ?? lines.find((each) => each.trim());
  return line?.replace(/^.*\[ERROR\]/, '').trim() || 'wrangler said nothing';
}
