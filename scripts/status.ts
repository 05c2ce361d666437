import { amountText } from '../worker/console/parts/figure-text.ts';
import type { GatewayCheck } from '../worker/payments/gateways/configuration-check.ts';
import { npmCommand, print, runCommand } from './command.ts';
import { adminSiteOf, withSite } from './local-server.ts';
import type { Site } from './ops/admin-client.ts';
import { aligned } from './text-table.ts';

interface Status {
  health: { ok: boolean; build: string; payments: string[]; secrets: string[] };
  parts: { name: string; detail: string | null }[];
  /** Why the published configuration is not served; empty if it is. */
  refused: string;
  dead_letters: number | null;
  alarms: number | null;
  figures: { name: string; currency?: string; value: number; before: number }[] | null;
}

const count = new Intl.NumberFormat('en');

/** @returns whether everything works */
export async function status(site: Site, print: (line: string) => void): Promise<boolean> {
  const [state, gateways] = await Promise.all([
    site.get<Status>('/status'),
    site.get<GatewayCheck[]>('/gateways'),
  ]);
  const { health, parts, refused, dead_letters, alarms, figures } = state;
  const wrong = [
    ...health.payments,
    ...health.secrets,
    ...(refused
      ? [`The newest configuration is invalid, so visitors get an earlier one: ${refused}`]
      : []),
    ...parts.flatMap(({ name, detail }) => (detail === null ? [`${name} does not respond`] : [])),
    ...gateways.flatMap(({ gateway, unread }) => (unread ? [`${gateway}: ${unread}`] : [])),
    ...(alarms ? [`Alarms: ${alarms}; see npm run ops -- alarms`] : []),
    ...(dead_letters ? [`Dead letters: ${dead_letters}; see npm run ops -- dead-letters`] : []),
  ];
  print(
    `Build ${health.build}. ${wrong.length === 0 ? 'Everything works.' : 'Something is wrong:'}`,
  );
  for (const line of wrong) print(`  ${line}`);
  const open = gateways.filter((each) => each.open).map(({ gateway }) => gateway);
  print(`Gateways that accept payments: ${open.join(', ') || 'none'}.`);
  if (figures === null) {
    print('The counts could not be read.');
    return false;
  }
  const text = (minor: number, currency: string | undefined) =>
    currency === undefined ? count.format(minor) : amountText(minor, currency);
  const rows = figures.map(({ name, currency, value, before }) => [
    name,
    text(value, currency),
    text(before, currency),
  ]);
  for (const line of aligned([['', 'last full hour', 'same hour yesterday'], ...rows])) print(line);
  return wrong.length === 0;
}

const program = withSite(
  npmCommand(
    'npm run status --',
    'Shows whether everything works, and compares the last full hour with the same hour yesterday; exit code 1 if something is wrong.',
    '--site https://funnel.example',
  ),
).action(async (options) => {
  if (!(await status(adminSiteOf(options), print))) process.exitCode = 1;
});

if (import.meta.main) await runCommand(program);
