import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { publishDocuments } from '../../../../worker/console/publishing/publish-documents.ts';
import { readVersions } from '../../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { readLive } from '../../../../worker/documents/live-documents.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { arm, configText, texts } from '../../../scripts/config/command-context.ts';
import { hiddenFields, open, send, signIn } from '../console-client.ts';

const kv = namespaceKv(env.FUNNEL);
const half = texts(configText([arm('a', 50), arm('b', 50)]));

beforeEach(async () => {
  for (const key of await kv.list('')) await env.FUNNEL.delete(key.name);
  await env.DB.prepare('DELETE FROM config_publications').run();
  for (const [key, text] of Object.entries(half)) await env.FUNNEL.put(key, text);
});

const rows = (weights: Record<string, number>) => [
  ['experiment', 'e'],
  ...Object.entries(weights).flatMap(([key, weight]) => [
    ['key', key],
    ['weight', String(weight)],
    ['flow', 'default'],
  ]),
];

/** Opens the form and reviews a split. @returns the review's page and its form fields */
async function review(headers: Record<string, string>, weights: Record<string, number>) {
  const form = hiddenFields(await (await open('/console/experiments', { headers })).text());
  const fields = [['base', form.base ?? ''], ...rows(weights)];
  const response = await send('/console/review', fields, { headers });
  const html = await response.text();
  return { html, fields: withReason(html) };
}

const withReason = (html: string) => [...Object.entries(hiddenFields(html)), ['reason', 'a test']];

const weightsLive = async () => {
  const { variants } = JSON.parse((await readLive(kv, configSet)).documents['config.json'] ?? '');
  return Object.fromEntries(
    variants.map(({ key, weight }: { key: string; weight: number }) => [key, weight]),
  );
};

const holdoutOf = (version: string) => ({
  ...{ share: 5, version },
  starts: new Date(Date.now() - 60_000).toISOString(),
  ends: new Date(Date.now() + 3_600_000).toISOString(),
});

test('console publishing: a change that law asks for reaches the holdout, others do not, and a holdout names versions that exist', async () => {
  const headers = await signIn();
  await send('/console/publish', (await review(headers, { a: 40, b: 60 })).fields, { headers });
  const [version] = await readVersions(kv, configSet);
  const publish = async (id: string) => {
    const live = await readLive(kv, configSet);
    const text = JSON.stringify({ experiments: [], holdout: holdoutOf(id) });
    const next = { ...live.documents, 'experiments.json': text };
    const change = { next, base: live.fingerprint, who: 'ann', now: new Date() };
    return publishDocuments(configSet, kv, env.DB, change);
  };
  await expect(publish('20200101-000000-000')).rejects.toThrow(
    'There is no version 20200101-000000-000',
  );
  const before = await review(headers, { a: 30, b: 70 });
  expect(before.html).not.toContain('Law or safety');
  expect((await publish(version?.id ?? '')).kind).toBe('published');
  const frozenWeights = async () => {
    const { frozen } = (await readLive(kv, configSet)).manifest.config ?? {};
    const text = frozen && (await kv.get(`documents/${frozen.documents['config.json']}`));
    return text && JSON.parse(text).variants.map(({ weight }: { weight: number }) => weight);
  };
  const usual = await review(headers, { a: 30, b: 70 });
  expect(usual.html).toContain('Law or safety asks for it');
  await send('/console/publish', usual.fields, { headers });
  expect([await weightsLive(), await frozenWeights()]).toEqual([{ a: 30, b: 70 }, undefined]);
  const { fields } = await review(headers, { a: 20, b: 80 });
  const later = await send('/console/schedule', [...fields, ['fix', 'on']], { headers });
  expect(await later.text()).toContain('is published now');
  await send('/console/publish', [...fields, ['fix', 'on']], { headers });
  expect([await weightsLive(), await frozenWeights()]).toEqual([{ a: 20, b: 80 }, [20, 80]]);
});
