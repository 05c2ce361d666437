import type { DocumentKey } from '../../worker/experiments/rules/config-validation.ts';
import type { Kv } from '../kv-client.ts';

/** The two documents, letter by letter; null for one that is missing. */
export type Texts = Record<DocumentKey, string | null>;

export const documentKeys: readonly DocumentKey[] = ['config.json', 'flows.json'];

/** The documents that visitors have now. */
export async function liveTexts(kv: Kv): Promise<Texts> {
  const [config, flows] = await Promise.all([kv.get('config.json'), kv.get('flows.json')]);
  return { 'config.json': config, 'flows.json': flows };
}
