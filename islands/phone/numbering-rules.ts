import { stayed } from '../runtime/navigation/stayed.ts';
import { reportError } from '../runtime/tracking/report-error.ts';
import { callingCodeIn } from './countries.ts';
import type { Rules, readingsOf } from './phone-format.ts';

/** The name contains the data's version, because these files are cached forever. */
export const numberingFolder = '/numbering/libphonenumber-js-1.13.16-groups-3';

const numberingFile = (calling: string): string => `${numberingFolder}/${calling}.json`;

const known = new Map<string, Rules>();
const coming = new Map<string, Promise<Rules | undefined>>();
let readings: typeof readingsOf | undefined;

async function load(calling: string): Promise<Rules | undefined> {
  try {
    const [{ rulesIn, readingsOf }, response] = await Promise.all([
      import('./phone-format.ts'),
      fetch(numberingFile(calling)),
    ]);
    if (!response.ok) throw new RangeError(`status ${response.status}`);
    readings = readingsOf;
    const rules = rulesIn(await response.json());
    known.set(calling, rules);
    return rules;
  } catch (error) {
    coming.delete(calling);
    stayed().then(() => reportError('phone_format_failed', { type: (error as Error).name }));
  }
}

export const cachedRules = (calling: string): Rules | undefined => known.get(calling);

/** Loads the rules of a calling code once; undefined when loading fails. */
export function loadRules(calling: string): Promise<Rules | undefined> {
  const loading = coming.get(calling) ?? load(calling);
  coming.set(calling, loading);
  return loading;
}

/**
 * The numbers that a text can mean, as the Worker reads it: `number-readings.ts`. Undefined without the rules.
 * @param rulesOf loads the rules of a calling code, or takes them from memory
 */
export async function readingsWith(
  rulesOf: (calling: string) => Rules | undefined | Promise<Rules | undefined>,
  typedPhone: string,
  country: string,
) {
  let isKnown = readings !== undefined;
  const found = await readings?.(typedPhone, country, async (digits) => {
    const rules = await rulesOf(callingCodeIn(digits));
    isKnown &&= rules !== undefined;
    return rules?.plan;
  });
  return isKnown ? found : undefined;
}
