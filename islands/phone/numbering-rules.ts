import { reportError } from '../runtime/tracking/report-error.ts';
import type { Rules, Slice } from './phone-format.ts';

/** Named after the data that it holds: these files are kept for ever by who loads them. */
export const numberingFolder = '/numbering/libphonenumber-js-1.13.16-examples-1';

/** Address of the numbering rules of a calling code (digits, without `+`). */
const numberingFile = (calling: string): string => `${numberingFolder}/${calling}.json`;

const known = new Map<string, Rules>();
const coming = new Map<string, Promise<Rules | undefined>>();

async function load(calling: string): Promise<Rules | undefined> {
  try {
    const [{ rulesIn }, response] = await Promise.all([
      import('./phone-format.ts'),
      fetch(numberingFile(calling)),
    ]);
    if (!response.ok) throw new RangeError(`status ${response.status}`);
    const rules = rulesIn((await response.json()) as Slice);
    known.set(calling, rules);
    return rules;
  } catch (error) {
    coming.delete(calling);
    reportError('phone_format_failed', { type: (error as Error).name });
  }
}

/** The rules of a calling code when they are here already. */
export const cachedRules = (calling: string): Rules | undefined => known.get(calling);

/** Loads the rules of a calling code, once; undefined when they do not come. */
export function loadRules(calling: string): Promise<Rules | undefined> {
  const loading = coming.get(calling) ?? load(calling);
  coming.set(calling, loading);
  return loading;
}
