import { CommandError } from '../../../scripts/command.ts';
import type { Context } from '../../../scripts/versioned-documents.ts';
import { isCopy, type Kv } from '../../../worker/documents/kv.ts';

export const arm = (key: string, weight: number, flow = 'default') => ({ key, weight, flow });

/** The text of a config.json with these arms. */
export const configText = (variants = [arm('fullPrice', 100)], change: object = {}) =>
  JSON.stringify({ experiment: 'e', variants, ...change });

/** The text of a flows.json. */
export const flowsText = (flows: object = {}, aliases: object = {}) =>
  JSON.stringify({ flows, aliases });

/** Both documents in published form. */
export const texts = (config = configText(), flows = flowsText()) => ({
  'config.json': config,
  'flows.json': flows,
});

/**
 * A context in memory. Its clock advances by a minute at each reading.
 * @param values initial contents of KV
 * @returns also the printed lines, the contents of KV, and the keys in the order they were written
 */
export function commandContext(values: Record<string, string> = {}) {
  const stored = new Map(Object.entries(values));
  const metadata = new Map<string, unknown>();
  const seconds = new Map<string, number | undefined>();
  const written: string[] = [];
  const printed: string[] = [];
  const questions: string[] = [];
  const controls = { broken: '', answer: true, minute: 0 };
  const kv: Kv = {
    get: async (key) => stored.get(key) ?? null,
    getWrittenByHand: async (key) => (isCopy(metadata.get(key)) ? null : (stored.get(key) ?? null)),
    put: async (key, text, options = {}) => {
      if (key === controls.broken) throw new CommandError(`KV could not write ${key}: quota.`);
      stored.set(key, text);
      metadata.set(key, options.metadata);
      seconds.set(key, options.seconds);
      written.push(key);
    },
    list: async (prefix) =>
      [...stored.keys()]
        .filter((key) => key.startsWith(prefix))
        .map((name) => ({ name, metadata: metadata.get(name) })),
  };
  const context: Context = {
    kv,
    remote: false,
    print: (line) => printed.push(line),
    confirm: async (question) => {
      questions.push(question);
      return controls.answer;
    },
    now: () => new Date(Date.UTC(2026, 10, 22, 10, controls.minute++, 30, 123)),
    who: 'ann',
  };
  return { context, stored, seconds, written, printed, questions, controls };
}
