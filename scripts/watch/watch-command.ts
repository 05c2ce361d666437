import { CommandError, PartialSuccess } from '../command-error.ts';
import { type Difference, differencesOf, type Opened, urlsOf } from './compare.ts';
import { readPage } from './page-snapshot.ts';
import { ownDifferences } from './script-integrity.ts';

/** The world around the command; tests bring their own. */
export interface Dependencies {
  send: typeof fetch;
  /** Opens the page in a browser; null where this machine has none. */
  look: ((address: string) => Promise<Opened>) | null;
  /** Where the build's files lie. */
  folder: string;
  say: (line: string) => void;
}

const advice = [
  'What to do:',
  '- A script or frame of nobody: somebody put it there. Take the release back, find the change, and',
  '  treat cards typed meanwhile as seen. If it is a vendor’s new address, write it with its reason',
  '  into worker/http/script-inventory.ts and deploy.',
  '- A header that differs: compare the release and the settings of the zone at Cloudflare; deploy again.',
  '- A script that is not this build’s: check out the commit that is live, build, and watch again. When',
  '  it differs still, take the release back.',
];

function table(differences: readonly Difference[]): string[] {
  return differences.flatMap(({ what, expected, found }) => [
    `DIFFERENT ${what}`,
    `  expected  ${expected}`,
    `  found     ${found}`,
  ]);
}

/**
 * Holds a live page's scripts, frames and headers against the inventory and the policies (PCI DSS
 * 6.4.3 and 11.6.1), and says each difference.
 *
 * @throws Refused when there is a difference, or the page can not be read, and InPart when there is
 * none in what could be seen, without a browser or a build
 */
export async function watch(address: string, around: Dependencies): Promise<void> {
  const { send, look, folder, say } = around;
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new CommandError(`${address} is no address of a page.`);
  }
  const seen = await readPage(address, send);
  const opened = look ? await look(address) : { scripts: [], frames: [] };
  say(`${address}: a page of kind ${seen.kind}`);
  if (!look) say('No Chromium here: only what the HTML names was seen.');
  const addresses = urlsOf(seen, opened);
  for (const { address: at, directive, who } of addresses) {
    say(`${directive.replace('-src', '')}  ${who ?? 'NOBODY'}  ${at.split(/[?#]/, 1)[0]}`);
  }
  const own = addresses.filter(
    ({ who, directive }) => who === 'this product' && directive === 'script-src',
  );
  const changed = await ownDifferences(
    own.map(({ address: at }) => at),
    folder,
    send,
  );
  if (!changed) say('No build here: the bytes of our own scripts were not compared.');
  const differences = [...differencesOf(seen, opened), ...(changed ?? [])];
  if (differences.length === 0 && !(look && changed)) {
    throw new PartialSuccess('Nothing differs in what was seen, but not everything was seen.');
  }
  if (differences.length === 0) return say('As the inventory and the policies say.');
  for (const line of [...table(differences), ...advice]) say(line);
  throw new CommandError(`${differences.length} differ from the inventory.`);
}
