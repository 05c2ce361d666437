import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../../scripts/config/check.ts';
import { diff } from '../../../scripts/config/diff-command.ts';
import { history } from '../../../scripts/config/history.ts';
import { orderOf, publish, publishTexts } from '../../../scripts/config/publish.ts';
import { rollback } from '../../../scripts/config/rollback.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { arm, configText, flowsText, texts, world } from './world.ts';

const half = texts(configText([arm('a', 50), arm('b', 50)]));
const more = texts(configText([arm('a', 40), arm('b', 60)]));
const whole = ['one_pager', 'signup', 'checkout_v3_tr', 'success'];
const withFlow = texts(configText([arm('a', 100, 'own')]), flowsText({ own: whole }));

test('publishing writes the history first, then the pair', async () => {
  const { context, stored, written, said, asked } = world(half);
  await publishTexts(more, { yes: false }, context);
  expect(asked).toEqual(['Publish this on this machine?']);
  expect(written).toEqual(['config/20261122-100030-123', 'config.json', 'flows.json']);
  expect(stored.get('config.json')).toBe(more['config.json']);
  expect(JSON.parse(stored.get('config/20261122-100030-123') ?? '')).toEqual({
    version: '20261122-100030-123',
    time: '2026-11-22T10:00:30.123Z',
    who: 'ann',
    documents: more,
  });
  expect(said).toContain('arm a: weight 50 → 40');
  expect(said.at(-1)).toContain('Published as 20261122-100030-123');
});

test('a no writes nothing; with yes nobody is asked', async () => {
  const { context, written, asked, set } = world(half);
  set.answer = false;
  await expect(publishTexts(more, { yes: false }, context)).rejects.toThrow('Nothing was written.');
  expect(written).toEqual([]);
  await publishTexts(more, { yes: true }, context);
  expect([asked.length, written.length]).toEqual([1, 3]);
});

test('a pair with errors is not written', async () => {
  const { context, written, said } = world(half);
  const wrong = texts(configText([arm('a', 99)]));
  await expect(publishTexts(wrong, { yes: true }, context)).rejects.toThrow('1 error');
  expect(said).toEqual(['error: config.json variants: weights do not add up to 100']);
  expect(written).toEqual([]);
});

test('what is live already is not written again', async () => {
  const { context, written, said } = world(half);
  await publishTexts(half, { yes: true }, context);
  expect([written, said.at(-1)]).toEqual([[], 'This is live already; nothing was written.']);
});

test.each([
  ['config/20261122-100030-123', 'Written: nothing. Not written: config/20261122-100030-123, c'],
  ['config.json', 'Written: config/20261122-100030-123. Not written: config.json, flows.json.'],
  ['flows.json', 'Written: config/20261122-100030-123, config.json. Not written: flows.json.'],
])('when %s fails, it is said what was written', async (broken, line) => {
  const { context, set } = world(half);
  set.broken = broken;
  const attempt = publishTexts(more, { yes: true }, context);
  await expect(attempt).rejects.toThrow(`KV did not take ${broken}: quota.\n${line}`);
});

test('an arm with a new flow is written after the flow, one that leaves its flow before it', () => {
  expect(orderOf(half, withFlow)).toEqual(['flows.json', 'config.json']);
  expect(orderOf(withFlow, half)).toEqual(['config.json', 'flows.json']);
});

test('history is newest first, and a rollback is its newest line', async () => {
  const { context, stored, said } = world();
  await publishTexts(half, { yes: true }, context);
  await publishTexts(more, { yes: true }, context);
  await rollback('20261122-100030-123', { yes: true }, context);
  expect(stored.get('config.json')).toBe(half['config.json']);
  said.length = 0;
  await history(context);
  expect(said).toEqual([
    '20261122-100230-123  2026-11-22T10:02:30.123Z  ann  (live)',
    '20261122-100130-123  2026-11-22T10:01:30.123Z  ann',
    '20261122-100030-123  2026-11-22T10:00:30.123Z  ann',
  ]);
});

test('before the first there was what is built in, and a rollback leads there too', async () => {
  const { context, stored } = world();
  await publishTexts(half, { yes: true }, context);
  await rollback('built-in', { yes: true }, context);
  expect(texts(stored.get('config.json') ?? '', stored.get('flows.json'))).toEqual(
    builtInDocuments,
  );
});

test('a version that is not there, or can not be read, is refused', async () => {
  const { context } = world({ 'config/2': '{"documents":{}}', 'config/3': 'text' });
  const back = (version: string) => rollback(version, { yes: true }, context);
  await expect(back('1')).rejects.toThrow('There is no version 1; see history.');
  await expect(back('2')).rejects.toThrow('Version 2 can not be read.');
  await expect(back('3')).rejects.toThrow('Version 3 can not be read.');
});

test('a document that is not given is taken as it is live', async () => {
  const config = join(mkdtempSync(join(tmpdir(), 'publish-')), 'c');
  writeFileSync(config, more['config.json']);
  const { context, stored, said } = world({ ...half, 'flows.json': flowsText({ own: whole }) });
  await check({ config }, context);
  await diff({ config }, context);
  expect(said).toContain('arm b: weight 50 → 60');
  await publish({ config }, { yes: true }, context);
  expect(said[0]).toBe('flows.json: not given, taken as it is live.');
  expect(stored.get('flows.json')).toBe(flowsText({ own: whole }));
});

test('of very many errors the first fifty are told', async () => {
  const { context, said } = world();
  const wrong = texts(configText(), flowsText({ own: Array.from({ length: 99 }, (_, i) => i) }));
  await expect(publishTexts(wrong, { yes: true }, context)).rejects.toThrow('99 errors');
  expect([said.length, said.at(-1)]).toEqual([51, 'and 49 more']);
});
