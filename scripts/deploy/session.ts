import { isCancel, password, select } from '@clack/prompts';
import { CommandError } from '../command.ts';
import { type Run, runWrangler } from '../wrangler.ts';
import { type Cloudflare, cloudflareApi, credentialsOf } from './cloudflare-api.ts';

export const hasTerminal = process.stdin.isTTY;

async function answered(question: Promise<string | symbol>): Promise<string> {
  const answer = await question;
  if (isCancel(answer)) throw new CommandError('Nothing was changed.');
  return String(answer);
}

export const askFor = (message: string): Promise<string> =>
  answered(
    password({
      message,
      validate: (value) => (value?.trim() ? undefined : 'Paste the value.'),
    }),
  );

async function choose(accounts: { id: string; name: string }[]): Promise<string> {
  if (!hasTerminal) {
    const names = accounts.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new CommandError(`Set CLOUDFLARE_ACCOUNT_ID to one of ${names}.`);
  }
  const options = accounts.map(({ id: value, name: label }) => ({ value, label }));
  return answered(select({ message: 'Which account of Cloudflare?', options }));
}

export async function openSession(): Promise<{ api: Cloudflare; run: Run }> {
  const credentials = await credentialsOf(runWrangler(), choose);
  const run = runWrangler({ CLOUDFLARE_ACCOUNT_ID: credentials.account });
  return { api: cloudflareApi(credentials), run };
}
