import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const home = await mkdtemp(join(tmpdir(), 'stripe-cli-'));

/** Runs Stripe's command line. @returns its output */
export async function stripeCli(...args: string[]): Promise<string> {
  const command = ['node_modules/@stripe/cli/bin/shim.js', ...args];
  const { stdout } = await run(process.execPath, command, {
    // Its telemetry may end the command with a panic.
    env: { ...process.env, XDG_CONFIG_HOME: home, HOME: home, STRIPE_CLI_TELEMETRY_OPTOUT: '1' },
  });
  return stdout;
}

/** Replays the fixture of an event at a fake. */
export const trigger = (event: string, port: number): Promise<string> =>
  stripeCli(
    ...['trigger', event, '--api-base', `http://127.0.0.1:${port}`],
    ...['--api-key', 'sk_test_123456789012345678901234'],
  );
