import { describe, expect, test } from 'vitest';
import { publish } from '../../scripts/versioned-documents.ts';
import builtInCatalog from '../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { readLive } from '../../worker/documents/live-documents.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { arm, commandContext, configText, texts } from './config/command-context.ts';

const yes = { yes: true };
const half = texts(configText([arm('a', 50), arm('b', 50)]));

describe('the payment providers', () => {
  const { monthly } = builtInCatalog.products;
  const products = {
    ...builtInCatalog.products,
    club: { ...monthly, versions: { 1: { prices: { USD: 79, EUR: 79 } } } },
  };
  const withClub = { ...half, 'catalog.json': JSON.stringify({ products }) };
  const answering = (answer: object) => {
    const asked: boolean[] = [];
    const post = async <T>(_path: string, body: object) => {
      asked.push((body as { creates: boolean }).creates);
      return { unsold: {}, lines: [], byHand: [], refusal: null, ...answer } as T;
    };
    return { asked, options: { ...yes, site: () => ({ post }) } };
  };

  test('are asked by the site before a new plan is published, and what they do not sell is stored', async () => {
    const { context, printed } = commandContext(half);
    const unsold = { braintree: ['club_usd'] };
    const { asked, options } = answering({
      unsold,
      lines: ['Braintree does not sell club in USD.'],
    });
    await publish(configSet, withClub, options, context);
    expect(asked).toEqual([false, true]);
    expect((await readLive(context.kv, configSet)).manifest.config?.unsold).toEqual(unsold);
    expect(printed.filter((line) => line === 'Braintree does not sell club in USD.')).toHaveLength(
      2,
    );
    const finished = answering({});
    await publish(configSet, withClub, finished.options, context);
    expect((await readLive(context.kv, configSet)).manifest.config?.unsold).toBeUndefined();
    await publish(configSet, withClub, finished.options, context);
    expect(printed.at(-1)).toBe('These documents are already live. Nothing was written.');
  });

  test('stop the command with their reason, and without the site nothing is published', async () => {
    const { context, written } = commandContext(half);
    const { options } = answering({
      refusal: 'Braintree did not say whether it sells the new plans',
    });
    await expect(publish(configSet, withClub, options, context)).rejects.toThrow(
      'Nothing was written: Braintree did not say whether it sells the new plans.',
    );
    await expect(publish(configSet, withClub, yes, context)).rejects.toThrow('Only the site');
    expect(written).toEqual([]);
  });
});
