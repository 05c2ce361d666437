import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const home = await mkdtemp(join(tmpdir(), 'stripe-cli-'));

/** Replays the fixture of an event at a fake. */
export async function trigger(event: string, port: number): Promise<void> {
  const command = ['node_modules/@stripe/cli/bin/shim.js', 'trigger', event];
  const fake = ['--api-base', `http://127.0.0.1:${port}`];
  await run(
    process.execPath,
    [...command, ...fake, '--api-key', 'sk_test_123456789012345678901234'],
    // Its telemetry may end the command with a panic.
    {
      env: { ...process.env, XDG_CONFIG_HOME: home, HOME: home, STRIPE_CLI_TELEMETRY_OPTOUT: '1' },
    },
  );
}
