import { afterEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

afterEach(() => void vi.unstubAllGlobals());

it('says with the purchase which words the page shows', async () => {
  vi.resetModules();
  const sent: string[] = [];
  fakeBrowser({ main: { terms: 'v1|de|euro|1t2v|Europe/Berlin' } });
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)).terms_shown);
    return Response.json({ errors: { messages: ['no'], code: 'terms_changed' } });
  });
  const { buy } = await import('../../../islands/stores/buy.ts');
  const texts = { network: '', unknown: '', checking: '', default: '', payment: '' };
  const confirm = async () => ({});
  const outcome = await buy({ plan: 'monthly_eur', gateway: 'stripe', confirm, texts });
  expect(sent).toEqual(['v1|de|euro|1t2v|Europe/Berlin']);
  expect(outcome).toMatchObject({ is: 'failed', message: 'no' });
});
