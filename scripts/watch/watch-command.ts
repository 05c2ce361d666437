import { findChromium, openChromium } from '../chromium.ts';
import { CommandError, PartialSuccess } from '../command.ts';
import { type Difference, differencesOf, type Opened, ownDifferences, urlsOf } from './compare.ts';
import { openPage, readPage } from './page-snapshot.ts';

export interface Dependencies {
  send: typeof fetch;
  /** Opens the page in a browser; null if this machine has none. */
  look: ((address: string) => Promise<Opened>) | null;
  /** Folder of the build's client files. */
  folder: string;
  print: (line: string) => void;
}

const advice = [
  'What to do:',
  '- Unknown script or frame: somebody added it. Roll the release back, find the change, and treat',
  '  cards typed meanwhile as stolen. If it is a new URL of a vendor, add it with its reason to',
  '  worker/http/script-inventory.ts and deploy.',
  '- Different header: compare the release and the settings of the zone at Cloudflare; deploy again.',
  '- Script that is not of this build: check out the live commit, build, and watch again. If it still',
  '  differs, roll the release back.',
];

function table(differences: readonly Difference[]): string[] {
  return differences.flatMap(({ what, expected, found }) => [
    `DIFFERENT ${what}`,
    `  expected  ${expected}`,
    `  found     ${found}`,
  ]);
}

/** PCI DSS 6.4.3 and 11.6.1. @throws PartialSuccess if nothing differs but a browser or build is missing */
export async function watch(address: string, around: Dependencies): Promise<void> {
  const { send, look, folder, print } = around;
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new CommandError(`${address} is not the URL of a page.`);
  }
  const seen = await readPage(address, send);
  const opened = look ? await look(address) : { scripts: [], frames: [] };
  print(`${address}: page of kind ${seen.kind}`);
  if (!look) print('Chromium is not installed: only the scripts named in the HTML were checked.');
  const addresses = urlsOf(seen, opened);
  for (const { address: at, directive, who } of addresses) {
    print(`${directive.replace('-src', '')}  ${who ?? 'UNKNOWN'}  ${at.split(/[?#]/, 1)[0]}`);
  }
  const own = addresses.filter(
    ({ who, directive }) => who === 'this product' && directive === 'script-src',
  );
  const changed = await ownDifferences(
    own.map(({ address: at }) => at),
    folder,
    send,
  );
  if (!changed) print('There is no build: the contents of our own scripts were not compared.');
  const differences = [...differencesOf(seen, opened), ...(changed ?? [])];
  if (differences.length === 0 && !(look && changed)) {
    throw new PartialSuccess('No differences, but not everything was checked.');
  }
  if (differences.length === 0) return print('No differences.');
  for (const line of [...table(differences), ...advice]) print(line);
  throw new CommandError(`${differences.length} differences from the inventory.`);
}

export async function watchLive(
  address: string,
  email: string | undefined,
  print: (line: string) => void,
): Promise<void> {
  const browser = findChromium() ? await openChromium() : null;
  const look = browser && ((at: string) => openPage(at, browser, email));
  try {
    await watch(address, { send: fetch, look, folder: 'dist/client', print });
  } finally {
    await browser?.close();
  }
}
