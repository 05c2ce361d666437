import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Difference } from './compare.ts';

/**
 * Holds the scripts that a live page has from its own origin against those of the build on this machine,
 * byte by byte.
 *
 * @param folder where the build's files lie
 * @returns null when there is no build to hold them against
 */
export async function ownDifferences(
  addresses: readonly string[],
  folder: string,
  send: typeof fetch,
): Promise<Difference[] | null> {
  if (!existsSync(join(folder, 'static'))) return null;
  const held = addresses.map(async (address): Promise<Difference[]> => {
    const file = join(folder, new URL(address).pathname);
    const different = (expected: string, found: string) => [{ what: 'script', expected, found }];
    if (!existsSync(file)) return different('a file of this build', address);
    const answer = await send(address);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.ok && bytes.equals(readFileSync(file))) return [];
    return different('the bytes of this build', address);
  });
  return (await Promise.all(held)).flat();
}
